from __future__ import annotations

import sys
import time
from datetime import datetime, timezone

import pytest

from companion.clock import LOOK_EVERY_S, ShiftedClock, SystemClock, sleep_by, unsure


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has the clock that counts suspension")
def test_time_spent_suspended_counts() -> None:
    """Suspending a test machine is not possible: the clock that does count it is compared."""
    before = time.clock_gettime(time.CLOCK_BOOTTIME)
    assert before <= SystemClock().monotonic() <= time.clock_gettime(time.CLOCK_BOOTTIME)


async def test_a_sleep_ends_soon_after_a_suspension_that_outlasted_it() -> None:
    """The machine's monotonic clock and the event loop's disagree by the time suspended."""
    now, pauses = 0.0, list[float]()

    async def pause(seconds: float) -> None:
        nonlocal now
        pauses.append(seconds)
        now += seconds + (8 * 3600 if len(pauses) == 3 else 0)

    await sleep_by(lambda: now, 600, pause)
    assert pauses == [LOOK_EVERY_S] * 3


async def test_a_sleep_is_as_long_as_was_asked() -> None:
    now = 0.0

    async def pause(seconds: float) -> None:
        nonlocal now
        now += seconds

    await sleep_by(lambda: now, 25, pause)
    assert now == 25
    await sleep_by(lambda: now, -1, pause)  # the time has come already
    assert now == 25


async def test_a_system_clock_sleeps_by_its_own_monotonic_clock() -> None:
    clock = SystemClock()
    before = clock.monotonic()
    await clock.sleep(0.02)
    assert clock.monotonic() - before >= 0.02


def test_a_shifted_clock_starts_where_it_is_told_and_runs_on() -> None:
    start = datetime(2023, 4, 28, 16, 30, tzinfo=timezone.utc)
    clock = ShiftedClock(start)
    first, second = clock.wall(), clock.wall()
    assert start <= first <= second
    assert (second - start).total_seconds() < 60


def test_a_time_before_there_was_such_a_program_is_unsure() -> None:
    assert unsure(datetime(1970, 1, 1, tzinfo=timezone.utc))
    assert not unsure(datetime(2023, 1, 1, tzinfo=timezone.utc))
