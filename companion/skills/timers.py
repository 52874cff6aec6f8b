"""Timers, alarms and reminders by voice: set, cancelled, asked for. `TimerBook` keeps and rings."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from companion import language
from companion.errors import StoreFailing
from companion.skills.protocol import LIKELY, NO, SURE, Reply, Request, State
from companion.skills.replies import line
from companion.skills.timer_book import LONGEST_S, MOST, TimerBook, next_at
from companion.store.timers import Timer, TimerKind

_SETS: dict[str, TimerKind] = {"set_alarm": "alarm", "set_timer": "timer", "remind": "reminder"}
_KINDS = ("cancel", "left", "list", *_SETS)


WAKING_HOURS = range(5, 12)
"""Whoever wants to be woken at seven means the morning."""


class Timers:
    """What is said about a `TimerBook`. Its state is the question that it asked last."""

    name = "timers"

    def __init__(self, book: TimerBook) -> None:
        self._book = book

    def wants(self, request: Request, state: State) -> float:
        if any(_asks(kind, request.plain) for kind in _KINDS):
            return SURE
        if request.running and _answers(request.plain):
            return SURE
        return LIKELY if request.asked == "ask_timer" else NO

    async def answer(self, request: Request, state: State) -> Reply | None:
        try:
            return await self._answer(request, state)
        except StoreFailing:
            return Reply((line("timer.not_kept"),))

    async def _answer(self, request: Request, state: State) -> Reply | None:
        request = replace(request, plain=language.self_repair.repaired(request.plain))
        words = request.plain
        if _asks("cancel", words):
            return await self._cancel(words)
        if _asks("left", words):
            return await self._left(words, request)
        if _asks("list", words):
            return await self._list()
        kind = next((kind for name, kind in _SETS.items() if _asks(name, words)), None)
        label = "" if kind is None else _label(kind, words)
        if kind is None and request.running and _answers(words):
            kind, label = state["kind"], state["label"]
        if kind is None and request.asked == "ask_timer":
            kind = "timer"
        return None if kind is None else await self._set(kind, label, request)

    async def _set(self, kind: TimerKind, label: str, request: Request) -> Reply:
        if request.turn is None:
            return Reply((line("timer.not_kept"),))
        if len(await self._book.all()) >= MOST:
            return Reply((line("timer.too_many", most=MOST),))
        length = language.skills.duration_in(request.plain)
        if length is not None:
            seconds = length[0]
            if seconds < 1 or seconds > LONGEST_S:
                return Reply((line("timer.too_short" if seconds < 1 else "timer.too_long"),))
            timer = Timer(0, kind, label, seconds, None, None, *request.turn)
            await self._book.set(timer)
            said = language.skills.spoken_duration(seconds)
            return Reply((_line(f"{kind}.set", label, length=said),))
        moment = language.skills.time_of_day(request.plain)
        if moment is None:
            asked = {"kind": kind, "label": label}
            return Reply((line(f"{kind}.how_long"),), asked, runs=True)
        if not request.trusted:
            return Reply((line("timer.no_clock"),))
        half = moment.half
        if half is None and kind == "alarm" and moment.hour in WAKING_HOURS:
            half = "am"
        at = next_at(moment.hour, moment.minute, half, moment.day, request.now)
        kept = at.isoformat(timespec="minutes")
        kind = "alarm" if kind == "timer" else kind
        await self._book.set(Timer(0, kind, label, None, None, kept, *request.turn))
        return Reply((_line(f"{kind}.set_at", label, time=_spoken_at(at, request.now)),))

    async def _cancel(self, words: str) -> Reply | None:
        found = self._meant(words, await self._book.all())
        if not found:
            return Reply((line("timer.none"),))
        if len(found) > 1 and not _asks("every", words):
            found = found[-1:]
        for timer in found:
            await self._book.cancel(timer.id)
        if len(found) > 1:
            return Reply((line("timer.all_cancelled", count=len(found)),))
        return Reply((_line("timer.cancelled", found[0].label, kind=found[0].kind),))

    async def _left(self, words: str, request: Request) -> Reply | None:
        found = self._meant(words, await self._book.all())
        if not found:
            return Reply((line("timer.none"),))
        return Reply(tuple(self._spoken_left(timer) for timer in found[:3]))

    async def _list(self) -> Reply:
        every = await self._book.all()
        if not every:
            return Reply((line("timer.none"),))
        first = line("timer.one") if len(every) == 1 else line("timer.several", count=len(every))
        return Reply((first, *(self._spoken_left(timer) for timer in every[:5])))

    def _meant(self, words: str, every: list[Timer]) -> list[Timer]:
        """Those that words can mean: by name, else by kind, else all."""
        label = _label("timer", words)
        named = [each for each in every if label and label in each.label]
        if label and named:
            return named
        kinds = [each for each in every if each.kind in words]
        return kinds or ([] if label else every)

    def _spoken_left(self, timer: Timer) -> str:
        left = self._book.left_s(timer)
        kind = timer.kind
        topic = "reminder" if kind == "reminder" else "timer"
        if timer.at is not None:
            at = language.skills.spoken_time(datetime.fromisoformat(timer.at))
            return _line(f"{topic}.rings_at", timer.label, kind=kind, time=at)
        if left is None:
            return line("timer.cannot_tell")
        said = language.skills.spoken_duration(max(left, 1))
        return _line(f"{topic}.left", timer.label, kind=kind, length=said)


def _line(key: str, label: str, **gaps: object) -> str:
    """The sentence with the name of a timer where it has one."""
    return line(f"{key}.named", **gaps, label=label) if label else line(key, **gaps)


def _answers(words: str) -> bool:
    """Whether words are a length of time or a time of day, and nothing much besides."""
    found = language.skills.duration_in(words)
    moment = language.skills.time_of_day(words)
    span = found[1] if found else moment.span if moment else None
    return span is not None and len(words) - (span[1] - span[0]) <= 12


def _label(kind: TimerKind, words: str) -> str:
    """What a timer is called, or what it reminds of; "" for nothing."""
    length = language.skills.duration_in(words)
    if kind != "reminder":
        at = length[1] if length else (len(words), len(words))
        found = _asks("label", " ".join((words[: at[0]] + words[at[1] :]).split()))
        return "" if found is None else next(each for each in found.groups() if each).strip()
    moment = language.skills.time_of_day(words)
    span = length[1] if length else moment.span if moment else (0, 0)
    opening = _asks("reminder_opening", words)
    start = opening.end() if opening else 0
    rest = words[start : max(start, span[0])] + words[max(start, span[1]) :]
    rest = language.skills.without("timers", "label_ends", " ".join(rest.split()))
    said = language.second_person.in_second_person(rest) if rest else ""
    return said[:1].lower() + said[1:80]


def _spoken_at(at: datetime, now: datetime) -> str:
    days = (at.date() - now.date()).days
    return line("timer.tomorrow" if days else "timer.today", time=language.skills.spoken_time(at))


def _asks(entry: str, words: str) -> re.Match[str] | None:
    found: re.Match[str] | None = language.skills.asks("timers", entry, words)
    return found
