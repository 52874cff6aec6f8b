"""Quiet hours and minutes a day: outside them the toy says good night once in each talk, in words
of ours, and then nothing.

It is asked after the guard, and after what is known of health: a crisis is answered at any hour.
Where the clock is not set no hour is known, so none is quiet; the minutes are then counted from the
start of the program.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, time

from companion.answering import Answer, Heard
from companion.clock import Clock
from companion.config import ServiceSection
from companion.dialog import replies
from companion.errors import StoreFailing
from companion.safety.breaks import PAUSE_S
from companion.store import talk_time
from companion.store.database import Store

logger = logging.getLogger(__name__)

BY = "quiet"
"""Who answers then (`Answer.by`)."""

_EVENING, _MORNING = 17, 5
_DAY_S = 86_400.0


class GoodNight:
    """Answers every message of which nothing else must be said, while it is time to be quiet."""

    def __init__(self, store: Store, clock: Clock, service: Callable[[], ServiceSection]) -> None:
        """service: the rules as they are now."""
        self._store = store
        self._clock = clock
        self._service = service
        self._said: tuple[str, str | None] | None = None
        """Why, and in which session, it was said last."""

        self._unset = _Unset()

    def is_quiet(self) -> bool:
        """Whether these are quiet hours."""
        hours = self._service().quiet_hours
        return hours is not None and self._clock.trusted() and within(self._clock.wall(), *hours)

    async def answer(self, heard: Heard) -> Answer | None:
        """Good night, or nothing at all; None where it may talk."""
        minutes = self._service().minutes_a_day
        over = await self._talked_s() >= minutes * 60 if minutes else False
        if self.is_quiet():
            why = "quiet"
        elif over:
            why = "minutes"
        else:
            self._said = None
            return None
        saying = (why, heard.turn[0] if heard.turn is not None else None)
        if self._said == saying:
            return Answer((), BY)
        self._said = saying
        return Answer(self._sentences(why), BY)

    def _sentences(self, why: str) -> tuple[str, ...]:
        if why == "minutes":
            return replies.ENOUGH_FOR_TODAY
        hour = self._clock.wall().hour
        return replies.GOOD_NIGHT if hour >= _EVENING or hour < _MORNING else replies.QUIET_TIME

    async def _talked_s(self) -> float:
        now = self._clock.wall()
        if not self._clock.trusted():
            return self._unset.talked_s(self._clock.monotonic())
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        try:
            return await self._store.read(talk_time.talked_s, midnight, now, PAUSE_S)
        except StoreFailing as error:
            logger.error("how long was talked today cannot be read: %s", error)
            return 0.0


class _Unset:
    """Counts the talk of a day of 24 hours while no clock tells the day."""

    def __init__(self) -> None:
        self._began = 0.0
        self._last: float | None = None
        self._total = 0.0

    def talked_s(self, now: float) -> float:
        """Seconds; `now` is the moment of a turn, monotonic."""
        if self._last is None or now - self._began >= _DAY_S:
            self._began, self._total = now, 0.0
        elif now - self._last <= PAUSE_S:
            self._total += now - self._last
        self._last = now
        return self._total


def within(now: datetime, begin: time, end: time) -> bool:
    """Whether a clock on the wall shows a time from `begin` on, and before `end`, which may lie
    after midnight."""
    shown = now.time()
    if begin < end:
        return begin <= shown < end
    return shown >= begin or shown < end
