from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.config import ServiceSection
from companion.daemon.safe_mode import FILE, Safe, Starts
from tests.daemon.conftest import CONFIG, Home


def starts(directory: Path) -> Starts:
    return Starts(directory, ServiceSection(crashes=3))


def crash_loop(directory: Path, times: int) -> list[Safe]:
    """What each of so many starts is told, when none of them comes to anything."""
    return [starts(directory).begin() for _ in range(times)]


def test_crashes_in_a_row_cost_the_memory_and_further_ones_the_model(tmp_path: Path) -> None:
    levels = crash_loop(tmp_path, 8)
    assert levels == [Safe.OFF] * 3 + [Safe.NO_MEMORY] * 3 + [Safe.NO_MODEL] * 2


class Life:
    """A simulated toy that is started anew after each end, on a clock of its own."""

    def __init__(self, directory: Path, section: ServiceSection) -> None:
        self.starts = Starts(directory, section)
        self.healthy_s = section.healthy_s
        self.now_s = 0.0

    def begin(self, *, load_s: float, lives_s: float) -> Safe:
        """One start that loads, lives, and crashes; as `Daemon` tells `Starts` of it."""
        level = self.starts.begin()
        self.now_s += load_s + lives_s
        if lives_s >= self.healthy_s:
            self.starts.clear()
        return level


@pytest.mark.parametrize("load_s", [1, 60, 75, 290])
def test_safe_mode_is_reached_however_slow_the_loading(tmp_path: Path, load_s: float) -> None:
    """Five starts within 300 s never happened when one of them loaded for more than a minute."""
    life = Life(tmp_path, ServiceSection())
    levels = [life.begin(load_s=load_s, lives_s=2) for _ in range(40)]
    assert levels == [Safe.OFF] * 5 + [Safe.NO_MEMORY] * 5 + [Safe.NO_MODEL] * 30


def test_crashes_after_a_minute_of_life_cost_nothing(tmp_path: Path) -> None:
    life = Life(tmp_path, ServiceSection())
    assert {life.begin(load_s=60, lives_s=61) for _ in range(40)} == {Safe.OFF}


def test_a_good_life_and_an_orderly_stop_begin_the_count_anew(tmp_path: Path) -> None:
    crash_loop(tmp_path, 5)
    assert starts(tmp_path).begin() is Safe.NO_MEMORY
    starts(tmp_path).clear()
    assert crash_loop(tmp_path, 3) == [Safe.OFF] * 3


def test_a_start_that_was_refused_does_not_count(tmp_path: Path) -> None:
    for _ in range(10):
        assert starts(tmp_path).begin() is Safe.OFF
        starts(tmp_path).withdraw()


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "{}", "null", '["x", null, NaN, 1e999]', "[1.0, 2.0, 3.0]"),
        *("true", "-7", "4.0", "9" * 30, "\x00" * 64),
    ],
)
def test_a_broken_file_counts_as_none(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    assert starts(tmp_path).begin() is Safe.OFF
    assert json.loads((tmp_path / FILE).read_text()) == 1


def test_a_directory_that_takes_no_file_does_not_keep_it_from_starting(tmp_path: Path) -> None:
    assert starts(tmp_path / "missing").begin() is Safe.OFF


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
