"""Timers, alarms and reminders: kept in the store, counted on the clock that can be believed.

A length of time is counted on the monotonic clock while the program runs, and over a restart by the
wall clock if it can be believed; a time of day waits until the wall shows it. What became due while
the program was off is said as soon as it runs again, with the truth about it.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from companion import language
from companion.answering import Announcement
from companion.clock import Clock
from companion.errors import StoreFailing
from companion.skills.replies import line
from companion.store import timers
from companion.store.database import Store
from companion.store.timers import Timer

logger = logging.getLogger(__name__)

MOST = 20
"""Timers, alarms and reminders at the same time."""

LONGEST_S = 24 * 3600.0
"""The longest that is counted; a time of day lies within it as well, or tomorrow."""

RINGS = 3
"""How often it rings while nobody says anything."""

BETWEEN_RINGS_S = 12.0
LATE_S = 60.0
"""From so long on, it says that it was late."""

GIVES_UP_ON_CLOCK_S = 120.0
"""So long after a start without a clock to believe, nobody will come to set it."""


class TimerBook:
    """All that is to ring. One child's."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._began = clock.monotonic()
        self._deadlines: dict[int, float] = {}
        """Monotonic, of those that this run has set or has been able to place."""

        self._rang: dict[int, tuple[int, float]] = {}
        """How often each has rung, and when last."""

        self._known: list[Timer] | None = None

    async def set(self, timer: Timer) -> Timer:
        """Keep one and begin to count. Raises StoreFailing."""
        if timer.seconds is not None:
            deadline = self._clock.monotonic() + timer.seconds
            trusted = self._clock.trusted()
            due = self._clock.wall().timestamp() + timer.seconds if trusted else None
            timer = replace(timer, due=due)
        kept = replace(timer, id=await self._store.write(timers.add, timer))
        if timer.seconds is not None:
            self._deadlines[kept.id] = deadline
        self._known = None
        return kept

    async def all(self) -> list[Timer]:
        """Everything that has not rung. Raises StoreFailing."""
        self._known = await self._store.read(timers.all_timers)
        return [each for each in self._known if each.id not in self._rang]

    async def cancel(self, id: int) -> None:
        """Take one out. Raises StoreFailing."""
        await self._store.write(timers.remove, id)
        self._forget(id)

    def forget(self) -> None:
        """Some may have been erased: they are read again."""
        self._known = None

    def left_s(self, timer: Timer) -> float | None:
        """Seconds until it rings, below zero when it should have rung; None when nobody can tell,
        because the clock cannot be believed."""
        if timer.at is not None:
            if not self._clock.trusted():
                return None
            now = self._clock.wall()
            naive = datetime.fromisoformat(timer.at)
            if now.replace(tzinfo=None) >= naive:
                return (naive - now.replace(tzinfo=None)).total_seconds()
            return naive.replace(tzinfo=now.tzinfo).timestamp() - now.timestamp()
        deadline = self._deadlines.get(timer.id)
        if deadline is None and timer.due is not None and self._clock.trusted():
            left = timer.due - self._clock.wall().timestamp()
            deadline = self._clock.monotonic() + min(left, timer.seconds or left)
            self._deadlines[timer.id] = deadline
        return None if deadline is None else deadline - self._clock.monotonic()

    async def due(self) -> list[Announcement]:
        """What is to be said now. While the store fails, what is known to this run."""
        for id in [id for id, (times, _) in self._rang.items() if times >= RINGS]:
            await self._drop(id)
        try:
            if self._known is None or any(self._is_due(each) for each in self._known):
                await self.all()  # one that is due may have been erased
        except StoreFailing as error:
            logger.error("timers cannot be read: %s", error)
        waiting = self._known or []
        rings = []
        for timer in waiting:
            left = self.left_s(timer)
            if left is None:
                if timer.at is None and self._lost(timer):
                    rings.append(_ring(timer, "timer.lost"))
            elif left <= 0 and self._may_ring(timer.id):
                times, _ = self._rang.get(timer.id, (0, 0.0))
                late = times == 0 and left < -LATE_S
                rings.append(_ring(timer, f"{timer.kind}.late" if late else f"{timer.kind}.rings"))
        return rings

    async def announced(self, ring: Announcement) -> None:
        """It was said once. A reminder is said once; the others ring on for a while."""
        times = self._rang.get(ring.id, (0, 0.0))[0] + 1
        self._rang[ring.id] = times, self._clock.monotonic()
        kind = next((each.kind for each in self._known or [] if each.id == ring.id), "reminder")
        if times >= RINGS or kind == "reminder":
            await self._drop(ring.id)

    def quiet(self) -> None:
        """Somebody has spoken: what has rung need not ring again."""
        for id, (_, at) in self._rang.items():
            self._rang[id] = RINGS, at

    def _is_due(self, timer: Timer) -> bool:
        left = self.left_s(timer)
        return left is not None and left <= 0

    def _may_ring(self, id: int) -> bool:
        times, last = self._rang.get(id, (0, float("-inf")))
        return times < RINGS and self._clock.monotonic() - last >= BETWEEN_RINGS_S

    def _lost(self, timer: Timer) -> bool:
        """Whether a timer of an earlier run can never be placed."""
        waited = self._clock.monotonic() - self._began
        return self._may_ring(timer.id) and (timer.due is None or waited >= GIVES_UP_ON_CLOCK_S)

    async def _drop(self, id: int) -> None:
        try:
            await self._store.write(timers.remove, id)
        except StoreFailing as error:
            logger.error("a timer that has rung is not removed yet: %s", error)
        self._forget(id)

    def _forget(self, id: int) -> None:
        self._deadlines.pop(id, None)
        self._rang.pop(id, None)
        self._known = None


def next_at(hour: int, minute: int, half: str | None, day: int | None, now: datetime) -> datetime:
    """The next time that a clock on the wall shows a time of day, local and without an offset.

    half: "am", "pm", or None for whichever comes first; day: days from today, None: whichever."""
    hours = [hour] if hour > 12 or hour == 0 else [hour % 12, hour % 12 + 12]
    if half is not None and len(hours) == 2:
        hours = [hours[half == "pm"]]
    if half is None and day is not None and day > 0 and len(hours) == 2:
        hours = hours[:1] if hour >= 5 else hours[1:]
    here = now.replace(tzinfo=None)
    midnight = here.replace(hour=0, minute=0, second=0, microsecond=0)
    days = (0, 1) if day is None else (day,)
    times = [
        midnight + timedelta(days=ahead, hours=each, minutes=minute)
        for ahead in days
        for each in hours
    ]
    return next((each for each in sorted(times) if each > here), times[-1] + timedelta(days=1))


def _ring(timer: Timer, key: str) -> Announcement:
    label = timer.label
    length = "" if timer.seconds is None else language.skills.spoken_duration(timer.seconds)
    time = ""
    if timer.at is not None:
        time = language.skills.spoken_time(datetime.fromisoformat(timer.at))
    gaps = {"length": length, "time": time}
    bare = line(key, **gaps)
    named = line(f"{key}.named", **gaps, label=label) if label else bare
    return Announcement(timer.id, (named,), (bare,), timer.kind)
