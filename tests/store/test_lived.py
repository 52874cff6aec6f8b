from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.store import lived, memories
from companion.store.database import Store
from companion.store.lived import LivedTime

from .conftest import START

DAY = 86_400.0
GAP_DAYS = 7.0


async def visit(directory: Path, moment: datetime) -> float:
    """What a process that starts at this wall time counts."""
    store = await Store.open(directory, StoreSection(), ManualClock(moment))
    counted = await store.write(lived.now)
    await store.close()
    return counted


async def test_time_passes_while_the_process_runs(store: Store, clock: ManualClock) -> None:
    assert await store.write(lived.now) == 0
    clock.advance(100)
    assert await store.write(lived.now) == 100


async def test_replayed_days_pass_between_processes(directory: Path) -> None:
    for day in range(4):
        assert await visit(directory, START + timedelta(days=day)) == pytest.approx(day * DAY)


async def test_one_absence_adds_no_more_than_the_largest_gap(directory: Path) -> None:
    await visit(directory, START)
    assert await visit(directory, START + timedelta(days=3650)) == GAP_DAYS * DAY


async def test_a_clock_set_back_adds_nothing_and_counting_goes_on(directory: Path) -> None:
    await visit(directory, START)
    await visit(directory, START + timedelta(days=1))
    assert await visit(directory, START - timedelta(days=30)) == DAY
    assert await visit(directory, START - timedelta(days=29)) == 2 * DAY


@pytest.mark.parametrize("jump", [timedelta(days=3650), timedelta(days=-30)])
def test_a_jump_of_a_running_wall_clock_is_not_lived(c: apsw.Connection, jump: timedelta) -> None:
    clock = ManualClock(START)
    counter = LivedTime(clock, GAP_DAYS)
    counter.advance(c)
    clock.advance(60)
    clock.set_wall(START + jump)
    assert counter.advance(c) == (60 if jump > timedelta(0) else 0)
    clock.advance(60)
    assert counter.advance(c) == (120 if jump > timedelta(0) else 60)


def test_an_untrusted_clock_counts_nothing_until_it_is_right_again(c: apsw.Connection) -> None:
    clock = ManualClock(START)
    LivedTime(clock, GAP_DAYS).advance(c)
    clock.set_wall(datetime(1970, 1, 1, tzinfo=timezone.utc), trusted=False)
    counter = LivedTime(clock, GAP_DAYS)
    clock.advance(1000)
    assert counter.advance(c) == 0
    clock.set_wall(START + timedelta(days=2))
    assert counter.advance(c) == 2 * DAY


@given(
    moves=st.lists(
        st.tuples(
            st.sampled_from(["pass", "jump", "restart", "distrust"]),
            st.floats(-1e9, 1e9, allow_nan=False),
        ),
        max_size=20,
    )
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_lived_time_never_runs_back_nor_faster_than_allowed(
    c: apsw.Connection, moves: list[tuple[str, float]]
) -> None:
    c.execute("BEGIN")
    try:
        clock = ManualClock(START)
        counter = LivedTime(clock, GAP_DAYS)
        before = counter.advance(c)
        for move, seconds in moves:
            if move == "pass":
                clock.advance(abs(seconds))
            else:
                clock.set_wall(START + timedelta(seconds=seconds), trusted=move != "distrust")
            if move == "restart":
                counter = LivedTime(clock, GAP_DAYS)
            after = counter.advance(c)
            assert before <= after <= before + GAP_DAYS * DAY
            assert after == before or move in ("pass", "restart", "jump")
            before = after
    finally:
        c.execute("ROLLBACK")


def test_retention_is_the_published_curve() -> None:
    assert lived.retention(0, 1) == 1
    assert lived.retention(DAY, 1) == pytest.approx(0.36788, abs=1e-5)
    assert lived.retention(4.6 * DAY, 1) == pytest.approx(0.01005, abs=1e-5)
    assert lived.retention(4.6 * DAY, 2) == pytest.approx(0.10026, abs=1e-5)
    assert lived.retention(-5, 1) == 1


async def test_what_was_used_without_a_clock_has_not_aged_by_the_time_before(
    store: Store, clock: ManualClock
) -> None:
    """Found by `scripts/campaign clocks --full`: it was put away minutes after it was learnt."""

    def learn(c: apsw.Connection) -> int:
        return memories.add(
            c,
            "new",
            kind="fact",
            sources=[],
            vector=None,
            embedder="",
            now=clock.wall(),
        )

    await store.write(lived.now)
    clock.set_wall(datetime(2018, 1, 28, tzinfo=timezone.utc), trusted=False)
    clock.advance(6 * lived.DAY_S)
    id = await store.write(learn)
    clock.set_wall(START + timedelta(days=6))
    assert await store.write(lived.now) == pytest.approx(6 * lived.DAY_S)
    memory = await store.read(memories.get, id)
    assert memory is not None
    assert memory.retention == pytest.approx(1)
