"""What tomorrow's first reply may take up: an event that is close, or one that is just over.

Written by code from the person's own words, judged by the guard on the way in and on the way out,
and expiring: a talk that begins with "hi" on the day after the test may ask how it was
(`dialog.opening`). Of grief, illness and trouble nothing is written.
"""

from __future__ import annotations

from datetime import date, timedelta

import apsw

from companion import language
from companion.clock import Clock
from companion.consolidation.report import Effects
from companion.language.types import Happening, parse_iso
from companion.records import Memory, Turn
from companion.safety.verdict import Guard
from companion.store import history, memories, openers
from companion.store.database import Store
from companion.store.openers import Opener
from companion.store.pending import Unit

DAYS_AFTER = 3
"""How long after an event it is still asked for."""

LONGEST = timedelta(days=7)
"""Of an event; a longer one is no day that somebody looks forward to."""

_AT_ONCE = 64
"""How many pending rows are looked up at once."""


class WritingOpeners:
    """The step `openers`: one memory."""

    name = "openers"

    def __init__(self, store: Store, guard: Guard, clock: Clock) -> None:
        self._store = store
        self._guard = guard
        self._clock = clock

    def pending(self, c: apsw.Connection) -> list[Unit]:
        if not self._clock.trusted():
            return []
        return [("", id) for id in openers.unopened(c, self._clock.wall().date(), _AT_ONCE)]

    async def infer(self, unit: Unit) -> list[Opener]:
        memory = await self._store.read(memories.get, unit[1])
        if memory is None or memory.event_time is None:
            return []
        first, last = parse_iso(memory.event_time)
        found, read = await self._store.read(_told, memory)
        if found is None or last - first > LONGEST:
            return []
        written = _openers(found, first, last)
        quotes = [source.quote for source in memory.sources]
        if any(map(language.dietary.concerns_health, [*quotes, *read])):
            return []
        for text in [*quotes, *read, memory.text]:
            if (await self._guard.judge(text, side="in")).topic is not None:
                return []
        judged = [(each, await self._guard.judge(each.text, side="out")) for each in written]
        return [each for each, verdict in judged if not verdict.stops]

    def commit(self, c: apsw.Connection, unit: Unit, result: list[Opener]) -> Effects:
        openers.put(c, unit[1], result)
        return Effects()


def _told(c: apsw.Connection, memory: Memory) -> tuple[Happening | None, list[str]]:
    """What the person is about to do on the memory's day, by their own words; and all the words
    that were read."""
    read: list[str] = []
    for source in memory.sources:
        read.append(source.quote)
        before = history.turn(c, source.session, source.turn - 1)
        if before is not None and _answers_when(source.quote, before):
            # "I have a test." "Oh! When is it?" "On Wednesday."
            assert before.user is not None
            read.append(before.user.text)
    found = map(language.happenings.happening, read)
    return next((each for each in found if each and _is_of_its_day(each, memory)), None), read


def _answers_when(words: str, before: Turn) -> bool:
    """Whether words may be the day of what the turn before them told."""
    if before.user is None or before.reply is None or before.stopped is not None:
        return False
    asked = language.question.asking(before.reply.text) != ""
    return asked and language.happenings.names_a_day(words)


def _is_of_its_day(told: Happening, memory: Memory) -> bool:
    """Whether the day that stands nearest to it, if any does, is the memory's."""
    days = language.dates.in_statement(told.said, memory.created)
    nearest = min(days, key=lambda span: abs(span.at - told.at), default=None)
    return nearest is None or nearest.iso == memory.event_time


def _openers(told: Happening, first: date, last: date) -> list[Opener]:
    after = Opener(last + timedelta(1), last + timedelta(DAYS_AFTER), told.about, told.after)
    eve = first - timedelta(1)
    return [Opener(eve, eve, told.about, told.before), after]
