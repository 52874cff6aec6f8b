"""Wall and monotonic time behind one small seam, so that tests and replays can move it.

Lived time (the clock that memories fade by) is counted in the store from these two; see
`companion.store.lived`.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta, timezone
from typing import Protocol

SOFTWARE_EPOCH = datetime(2025, 1, 1, tzinfo=timezone.utc)
"""No honest clock of a machine that runs this code shows an earlier time."""


def unsure(moment: datetime) -> bool:
    """Whether a stored time is that of a clock without a battery (1970, or its firmware's year):
    then the day is not known, and nothing is dated by it."""
    return moment.year < 2000


LOOK_EVERY_S = 10.0
"""An event loop waits on a clock that stands still in suspension. Who sleeps looks up as often as
this, and so wakes at most that much late after one."""


def _since_boot() -> float:
    """Linux stops its monotonic clock in suspend; a toy that slept for a night has aged by one."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


async def sleep_by(
    now: Callable[[], float],
    seconds: float,
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Wait until `now` has moved on by so much, in pauses of at most LOOK_EVERY_S; others have
    their turn in any case."""
    end = now() + seconds
    await pause(min(max(seconds, 0.0), LOOK_EVERY_S))
    while (left := end - now()) > 0:
        await pause(min(left, LOOK_EVERY_S))


class Clock(Protocol):
    """Where all time comes from."""

    def wall(self) -> datetime:
        """Now, timezone-aware, in the local zone. May jump; for people and dates only."""

    def monotonic(self) -> float:
        """Seconds from an arbitrary start; never jumps. For timers. Suspended time counts."""

    async def sleep(self, seconds: float) -> None:
        """Wait until the monotonic clock has moved on by so much: suspended time counts."""

    def trusted(self) -> bool:
        """False when the wall clock is plainly wrong (a board without a battery says 1970)."""


class SystemClock:
    """The machine's clocks."""

    def wall(self) -> datetime:
        return datetime.now().astimezone()

    def monotonic(self) -> float:
        return _since_boot()

    async def sleep(self, seconds: float) -> None:
        await sleep_by(self.monotonic, seconds)

    def trusted(self) -> bool:
        return self.wall() >= SOFTWARE_EPOCH


class ShiftedClock(SystemClock):
    """A wall clock that starts at a given moment and runs on from there (`--now`).

    The given time is trusted: whoever replays a past day means it.
    """

    def __init__(self, start: datetime) -> None:
        self._start = start if start.tzinfo is not None else start.astimezone()
        self._origin = _since_boot()

    def wall(self) -> datetime:
        return self._start + timedelta(seconds=_since_boot() - self._origin)

    def trusted(self) -> bool:
        return True


class ManualClock:
    """A clock that moves only when told: for tests and for evaluation in simulated time."""

    def __init__(self, start: datetime, *, trusted: bool = True) -> None:
        if start.tzinfo is None:
            raise ValueError("a clock needs a time zone")
        self._wall = start
        self._monotonic = 0.0
        self._trusted = trusted
        self._sleepers: list[tuple[float, asyncio.Event]] = []

    def wall(self) -> datetime:
        return self._wall

    def monotonic(self) -> float:
        return self._monotonic

    async def sleep(self, seconds: float) -> None:
        """Wait for `advance`, however long that takes."""
        woken = asyncio.Event()
        sleeper = (self._monotonic + seconds, woken)
        if seconds <= 0:
            woken.set()
        self._sleepers.append(sleeper)
        try:
            await woken.wait()
        finally:
            self._sleepers.remove(sleeper)

    def trusted(self) -> bool:
        return self._trusted

    def advance(self, seconds: float) -> None:
        """Let time pass: both clocks move."""
        self._wall += timedelta(seconds=seconds)
        self._monotonic += seconds
        for deadline, woken in self._sleepers:
            if deadline <= self._monotonic:
                woken.set()

    def set_wall(self, moment: datetime, *, trusted: bool = True) -> None:
        """Jump the wall clock alone, as a network or a flat battery does."""
        self._wall = moment
        self._trusted = trusted
