"""Answers questions for the day of something that was told, without the model, which reckons badly.

"When did I lose my glove?" is answered from the telling: the day it names, else the day it was said
on, and how far away that is. What is asked for has to stand in the telling, so that no day is made
up. Where no telling gives a day it is left to recall: it may have been told in other words.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import apsw

from companion import language
from companion.answering import Answer, Heard
from companion.clock import Clock
from companion.language.types import AskedDay, ToldDay
from companion.recall import third_turn
from companion.records import Memory, Source
from companion.store import history, memories, turn_index
from companion.store.database import Store

BY = "days"
"""Who answers then (`Answer.by`)."""

MOST = 40
"""Turns and memories that are looked at."""


@dataclass(frozen=True)
class _Telling:
    """What somebody told once."""

    said: str
    time: datetime
    before: str = ""
    """What was told before it."""


class ToldDays:
    """Answers from the log and from memories, where the clock can be believed."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def answer(self, heard: Heard) -> Answer | None:
        """The day, where a telling gives it. Raises StoreFailing."""
        now = self._clock.wall()
        asked = language.told_days.asked(heard.words, now.date())
        if asked is None or not self._clock.trusted():
            return None
        if asked.kind == "last_talk":
            last = await self._store.read(history.last_talk, heard.turn and heard.turn[0])
            if last is None:
                return None
            return Answer(language.told_days.answer(asked, ToldDay(last.date(), last, ()), now), BY)
        found = await self._store.read(_tellings, asked, heard.turn)
        near = [each for each in found if self._fits(asked, each)]
        if language.told_days.stays(heard.words):
            return _visit(asked, near, now)
        told = _told(asked, near, now)
        if told is None or language.told_days.is_over(asked, told, now.date()):
            return None
        return Answer(language.told_days.answer(asked, told, now), BY)

    @staticmethod
    def _fits(asked: AskedDay, telling: _Telling) -> bool:
        least = language.told_days.ENOUGH
        return language.told_days.share(asked, telling.said, telling.before) >= least


def _told(asked: AskedDay, near: list[_Telling], now: datetime) -> ToldDay | None:
    """The day of the tellings that fit, oldest first: what lies ahead may have been moved since, so
    the last counts; of what has been, the first that speaks of the most."""
    days = [(each, language.told_days.day_of(asked, each.said, each.time, now)) for each in near]
    given = [(telling, day) for telling, day in days if day is not None]
    if not given:
        return None
    if asked.kind in ("how_long", "how_long_ago"):
        share = language.told_days.share
        return max(given, key=lambda each: share(asked, each[0].said, each[0].before))[1]
    return given[-1][1]


def _visit(asked: AskedDay, near: list[_Telling], now: datetime) -> Answer | None:
    """From the day somebody went to the day they came back."""
    back = [each for each in near if language.told_days.is_back(each.said)]
    gone = [each for each in near if each not in back]
    if not (back and gone):
        return None
    days = []
    for each in (gone[-1], back[-1]):
        spans = language.dates.days_told(each.said, "", each.time)
        days.append(spans[0].start if spans else each.time.date())
    return Answer(language.told_days.visit(*days), BY) if days[0] < days[1] else None


def _tellings(
    c: apsw.Connection, asked: AskedDay, asking: tuple[str, int] | None
) -> list[_Telling]:
    """What was told with any of the words, oldest first; nothing that a guard stopped."""
    words = " ".join((asked.plain, *asked.about))
    keys = [(session, number) for session, number, _ in turn_index.search_turns(c, words, MOST)]
    found = []
    for turn in history.turns_named(c, [key for key in keys if key != asking]).values():
        if turn.user is None or turn.stopped is not None:
            continue
        after = history.turn(c, turn.session, turn.number + 1)
        said = third_turn.meant(turn, after) or turn.user.text
        found.append(_Telling(said, turn.user.time, _before(c, turn.session, turn.number)))
    for id, _ in memories.search(c, words, MOST):
        memory = memories.get(c, id)
        if memory is not None and memory.told_by_parent:
            found.append(_Telling(memory.text, memory.created))
        elif memory is not None:
            found += [_Telling(_as_meant(memory, each), memory.created) for each in memory.sources]
    return sorted(found, key=lambda each: each.time)


def _as_meant(memory: Memory, source: Source) -> str:
    """What a memory quotes; of a slip that was put right, what was meant."""
    parts = language.excerpt.parts(memory.text)
    shown = "" if parts is None else parts.said
    meant = language.third_turn_repair.read_as_one(shown)
    return meant if meant != shown and len(memory.sources) == 1 else source.quote


def _before(c: apsw.Connection, session: str, number: int) -> str:
    """What was told before a turn, in its talk or at the end of the one before."""
    turn = history.turn(c, session, number - 1)
    if turn is None:
        sessions = [each.id for each in history.sessions(c)]
        at = sessions.index(session)
        turns = history.turns(c, sessions[at - 1]) if at else []
        turn = turns[-1] if turns else None
    return turn.user.text if turn is not None and turn.user is not None else ""
