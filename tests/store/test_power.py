"""Power that goes while writes are on their way, and syncs that fail: no promise is broken."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store import power_cuts
from tests.store.power_cuts import CUT, MOST_WRITES, Lives, lives, missing

pytestmark = pytest.mark.skipif(
    power_cuts.compiler() is None, reason="the disk that forgets needs Linux and a C compiler"
)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lives]:
    with lives(tmp_path_factory.mktemp("disk")) as server:
        yield server


def test_a_power_cut_takes_nothing_that_was_acknowledged(running: Lives, tmp_path: Path) -> None:
    chance, acknowledged = random.Random(3), list[str]()
    cuts = 0
    for seed in range(8):
        writes = chance.randrange(1, MOST_WRITES)
        code, promised = running.live(tmp_path, seed, writes=writes)
        acknowledged += promised
        cuts += code == CUT
        assert asyncio.run(missing(tmp_path, acknowledged)) == []
    assert cuts >= 4
    assert acknowledged


def test_a_disk_that_lies_about_its_syncs_does(running: Lives, tmp_path: Path) -> None:
    """That nothing is lost above is not for want of losing."""
    wrong = []
    for seed in range(8):
        directory = tmp_path / str(seed)
        directory.mkdir()
        _, promised = running.live(directory, seed, writes=150, lies=True)
        wrong += asyncio.run(missing(directory, promised))
    assert any("lost" in each or "Store" in each for each in wrong)


@pytest.mark.parametrize("failures", [1, 2, 5])
def test_a_commit_whose_sync_fails_is_not_acknowledged(
    running: Lives, tmp_path: Path, failures: int
) -> None:
    acknowledged: list[str] = []
    for seed in range(4):
        _, promised = running.live(
            tmp_path, seed, writes=250, syncs=10 + 10 * seed, failures=failures
        )
        acknowledged += promised
        assert asyncio.run(missing(tmp_path, acknowledged)) == []
    assert acknowledged


@pytest.mark.slow
def test_a_start_after_a_failed_sync_builds_on_no_hole(running: Lives, tmp_path: Path) -> None:
    """What could not be synced can still be read at the new start, until the power goes."""
    promises = 0
    for writes in range(60, 220, 16):
        directory = tmp_path / str(writes)
        directory.mkdir()
        _, promised = running.live(
            directory, writes, writes=writes, syncs=0, failures=4, life="start again"
        )
        assert asyncio.run(missing(directory, promised)) == []
        promises += len(promised)
    assert promises > 10


def test_what_cannot_be_synced_waits_in_ram_and_is_logged_once(
    running: Lives, tmp_path: Path
) -> None:
    _, told = running.live(tmp_path, 1, syncs=2, failures=12, life="talk")
    assert "waits" in told
    assert told[-1] == "1-3"
    assert asyncio.run(missing(tmp_path, ["1-0", "1-1", "1-2", "1-3"])) == []


def test_a_backup_that_cannot_be_synced_is_a_named_failure(running: Lives, tmp_path: Path) -> None:
    for syncs in range(12):
        code, told = running.live(tmp_path, 1, syncs=syncs, life="back up")
        assert code == 0
        assert not told or "the disk failed the store" in told[0]
        if not told:
            break
    assert syncs > 2, "a backup syncs its file and its folder"


@pytest.mark.slow
def test_while_syncs_fail_nothing_is_acknowledged(running: Lives, tmp_path: Path) -> None:
    code, told = running.live(tmp_path, 1, syncs=0, life="talk")
    assert (code, set(told)) == (0, {"waits"})
