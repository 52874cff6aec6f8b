from __future__ import annotations

import sys
import time
from datetime import datetime, timezone

import pytest

from companion.clock import ShiftedClock, SystemClock, unsure


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has the clock that counts suspension")
def test_time_spent_suspended_counts() -> None:
    """Suspending a test machine is not possible: the clock that does count it is compared."""
    before = time.clock_gettime(time.CLOCK_BOOTTIME)
    assert before <= SystemClock().monotonic() <= time.clock_gettime(time.CLOCK_BOOTTIME)


def test_a_shifted_clock_starts_where_it_is_told_and_runs_on() -> None:
    start = datetime(2023, 4, 28, 16, 30, tzinfo=timezone.utc)
    clock = ShiftedClock(start)
    first, second = clock.wall(), clock.wall()
    assert start <= first <= second
    assert (second - start).total_seconds() < 60


def test_a_time_before_there_was_such_a_program_is_unsure() -> None:
    assert unsure(datetime(1970, 1, 1, tzinfo=timezone.utc))
    assert not unsure(datetime(2023, 1, 1, tzinfo=timezone.utc))
