from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.config import ServiceSection
from companion.daemon.safe_mode import FILE, Safe, Starts
from tests.daemon.conftest import CONFIG, Home

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)


def starts(directory: Path, clock: ManualClock) -> Starts:
    return Starts(directory, ServiceSection(crashes=3, crash_window_s=60), clock)


def crash_loop(directory: Path, clock: ManualClock, times: int, every_s: float) -> list[Safe]:
    """What each of so many starts is told, when none of them comes to anything."""
    levels = []
    for _ in range(times):
        levels.append(starts(directory, clock).begin())
        clock.advance(every_s)
    return levels


def test_crashes_in_a_row_cost_the_memory_and_further_ones_the_model(tmp_path: Path) -> None:
    levels = crash_loop(tmp_path, ManualClock(NOON), 8, every_s=10)
    assert levels == [Safe.OFF] * 3 + [Safe.NO_MEMORY] * 3 + [Safe.NO_MODEL] * 2


def test_crashes_far_apart_cost_nothing(tmp_path: Path) -> None:
    assert set(crash_loop(tmp_path, ManualClock(NOON), 20, every_s=40)) == {Safe.OFF}


def test_a_good_life_and_an_orderly_stop_begin_the_count_anew(tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    crash_loop(tmp_path, clock, 5, every_s=1)
    assert starts(tmp_path, clock).begin() is Safe.NO_MEMORY
    starts(tmp_path, clock).clear()
    assert crash_loop(tmp_path, clock, 3, every_s=1) == [Safe.OFF] * 3


def test_a_start_that_was_refused_does_not_count(tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    for _ in range(10):
        assert starts(tmp_path, clock).begin() is Safe.OFF
        starts(tmp_path, clock).withdraw()


def test_a_clock_that_jumps_neither_hides_a_loop_for_long_nor_makes_one(tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    crash_loop(tmp_path, clock, 2, every_s=1)
    clock.set_wall(NOON - timedelta(days=30))
    assert crash_loop(tmp_path, clock, 4, every_s=1) == [Safe.OFF] * 3 + [Safe.NO_MEMORY]
    clock.set_wall(NOON + timedelta(days=3650))
    assert starts(tmp_path, clock).begin() is Safe.OFF


@pytest.mark.parametrize(
    "content", ["", "{", "{}", "null", '["x", null, NaN, 1e999]', "[[1.0]]", "\x00" * 64]
)
def test_a_broken_file_counts_as_none(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    assert starts(tmp_path, ManualClock(NOON)).begin() is Safe.OFF
    assert json.loads((tmp_path / FILE).read_text()) == [NOON.timestamp()]


def test_a_directory_that_takes_no_file_does_not_keep_it_from_starting(tmp_path: Path) -> None:
    assert starts(tmp_path / "missing", ManualClock(NOON)).begin() is Safe.OFF


@pytest.mark.real
def test_a_crash_loop_ends_in_a_companion_that_talks_and_remembers_nothing(tmp_path: Path) -> None:
    home = Home(tmp_path, CONFIG + "service: {crashes: 2}\n")
    home.run("sessions")  # makes the store
    before = (home.data_dir / "store.db").read_bytes()
    for _ in range(2):
        with home.daemon(COMPANION_FAULT="boot:kill") as crashing:
            assert crashing.process.wait(60) == -9
    with home.daemon() as daemon:
        daemon.wait_for("READY=1")
        status = daemon.ask("status")
        assert "without my memory" in status["safe_mode"]
        assert "off and on again" in status["safe_mode"]
        assert daemon.ask("chat", text="Hello!")["turn"] == 1
        code, _ = daemon.stop()
        assert code == 0
    assert (home.data_dir / "store.db").read_bytes() == before
    with home.daemon() as daemon:
        daemon.wait_for("STATUS=loading")
        assert daemon.ask("status")["safe_mode"] is None
        # In the middle of loading the models.
        code, seconds = daemon.stop()
    assert code == 0
    assert seconds < 6
