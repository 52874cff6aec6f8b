"""The time and the date, where the clock can be believed."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from companion import language
from companion.skills.known import Known
from companion.skills.protocol import LIKELY, NO, SURE, Reply, Request, State
from companion.skills.replies import line

_QUESTIONS = ("time", "day", "is_it", "near", "until", "part", "school")
SATURDAY = 5

_IN_OTHER_WORDS = ("clock", "weekday", "calendar")


class Moments:
    """Answers from the clock, or says that it cannot."""

    name = "clock"

    def __init__(self, known: Known) -> None:
        self._known = known

    def wants(self, request: Request, state: State) -> float:
        if any(_asks(question, request.plain) for question in _QUESTIONS):
            return SURE
        return LIKELY if _surely(request) else NO

    async def answer(self, request: Request, state: State) -> Reply | None:
        if not request.trusted:
            return Reply((line("moment.no_clock"),))
        words, now = request.plain, request.now
        if _asks("time", words) or _surely(request) == "clock":
            return Reply((line("moment.time", time=language.skills.spoken_time(now)),))
        surely = _asks("weekday", words) if _surely(request) == "weekday" else None
        if found := _asks("is_it", words) or surely:
            same = found[1] in _day(now).lower()
            key = "moment.is_it" if same else "moment.is_not_it"
            return Reply((line(key, day=_day(now)),))
        if found := _asks("near", words):
            ahead = 1 if language.skills.asks("moments", "ahead", words) else -1
            key = "moment.tomorrow" if ahead > 0 else "moment.yesterday"
            return Reply((line(key, day=_day(now + timedelta(days=ahead))),))
        if _asks("until", words):
            return await self._until(words, now)
        if _asks("part", words):
            part = language.dates.moment(now).rsplit(", ", 1)[-1]
            time = language.skills.spoken_time(now)
            return Reply((line("moment.part", part=part), line("moment.time", time=time)))
        if _asks("school", words):
            key = "moment.weekend" if now.weekday() >= SATURDAY else "moment.school_day"
            return Reply((line(key, day=_day(now).split()[0]),))
        return Reply((line("moment.day", day=_day(now)),))

    async def _until(self, words: str, now: datetime) -> Reply | None:
        today = now.date()
        found = language.skills.count_of_days(words, today)
        if found is None:
            return None
        name, day = found
        if day is None:
            day = await self._known.birthday(today)
        if day is None:
            # "When is it?" recall may know, from words that are no memory yet.
            return None if _asks("day_itself", words) else Reply((line("moment.no_birthday"),))
        days = (day - today).days
        if days <= 1:
            return Reply((line("moment.until_one" if days else "moment.today_is", name=name),))
        return Reply((line("moment.until", days=days, name=name),))


def _surely(request: Request) -> str:
    """What is asked for in words that no rule knows, where the act is sure; "" for nothing."""
    if request.asked != "ask_time":
        return ""
    return next((each for each in _IN_OTHER_WORDS if _asks(each, request.plain)), "")


def _day(moment: datetime) -> str:
    return language.dates.spelled_day(moment)


def _asks(entry: str, words: str) -> re.Match[str] | None:
    found: re.Match[str] | None = language.skills.asks("moments", entry, words)
    return found
