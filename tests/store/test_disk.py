"""Disks that are full, broken or half written to, and texts that are no Unicode."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.errors import StoreError, StoreFailing
from companion.store import ballast, erase, history, log, memories
from companion.store.backup import all_in, nightly
from companion.store.database import Store
from companion.store.opening import open_owner

from .child import open_on_a_bad_disk, read_on_a_bad_disk, restore_and_die, write_on_a_bad_disk
from .conftest import START, files
from .processes import process
from .test_durability import fill

PLAIN = StoreSection(encrypt=False)


@pytest.mark.slow
def test_a_disk_that_fails_now_and_then_loses_nothing_acknowledged_and_doubles_nothing(
    directory: Path,
) -> None:
    with process(write_on_a_bad_disk, directory) as (_, pipe):
        acknowledged, refused, held = pipe.recv()
    assert len(acknowledged) > 20
    assert refused > 5
    assert held == acknowledged


def test_a_read_that_fails_is_named_and_the_store_can_be_written_afterwards(
    directory: Path,
) -> None:
    """SQLite ends the transaction itself then: ending it again was a failure without a name, and
    left the store open for reading only."""
    with process(read_on_a_bad_disk, directory) as (_, pipe):
        failure, held = pipe.recv()
    assert failure == "StoreFailing"
    assert held == ["before", "after"]


async def test_a_write_that_finds_no_room_is_rolled_back_and_later_ones_work(
    store: Store,
) -> None:
    await store.write(log.start_session, START, "s")
    await store.maintain(_limit_pages, None)
    with pytest.raises(StoreFailing, match="memory is full"):
        await store.write(log.append, "s", "user", "words " * 10_000, START)
    held = await store.read(history.turns, "s")
    await store.maintain(_limit_pages, 1_000_000)
    message = await store.write(log.append, "s", "user", "there is room", START)
    assert message.turn == len(held) + 1


def _limit_pages(c: apsw.Connection, pages: int | None) -> None:
    c.pragma("max_page_count", pages or c.pragma("page_count"))


def test_a_full_disk_at_the_start_is_not_taken_for_damage(
    directory: Path, clock: ManualClock, tmp_path: Path
) -> None:
    """A database that was whole used to be put aside when there was no room for its -shm."""
    unshare = ["unshare", "--user", "--map-root-user", "--mount"]
    if subprocess.run([*unshare, "true"], capture_output=True).returncode:
        pytest.skip("this system lets nobody make a mount of his own")
    asyncio.run(fill(directory, clock, encrypt=True))
    (tmp_path / "disk").mkdir()
    command = [
        sys.executable,
        "-m",
        "tests.store.on_full_disk",
        str(directory),
        str(tmp_path / "disk"),
    ]
    done = subprocess.run([*unshare, *command], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["StoreFailing", "opened"]


def test_a_disk_that_fails_at_the_start_is_not_taken_for_damage(
    directory: Path, clock: ManualClock
) -> None:
    asyncio.run(fill(directory, clock, encrypt=False))
    with process(open_on_a_bad_disk, directory) as (_, pipe):
        failure, left = pipe.recv()
    assert failure == "IOError"
    assert left[0] == "store.db"
    assert not any("corrupt" in name for name in left)


@pytest.mark.parametrize("point", ["restore:copied", "restore:put-aside"])
async def test_a_restore_that_is_cut_is_finished_by_the_next_start(
    directory: Path, clock: ManualClock, point: str
) -> None:
    await fill(directory, clock, encrypt=True)
    path = directory / "store.db"
    path.write_bytes(path.read_bytes()[:4096] + bytes(4096) + path.read_bytes()[8192:])
    with process(restore_and_die, directory) as (child, pipe):
        pipe.send(point)
        child.join()
        assert child.exitcode == -9
    store = await Store.open(directory, StoreSection(), clock)
    assert len(await store.read(history.turns, "s")) == 10
    assert not path.with_name("store.db.new").exists()
    await store.close()


@pytest.mark.parametrize("side", ["-wal", "-shm"])
def test_a_side_file_that_is_cut_short_or_gone_does_no_harm_beyond_itself(
    directory: Path, side: str
) -> None:
    opened = open_owner(directory, PLAIN)
    log.start_session(opened.connection, START, "s")
    for n in range(30):
        log.append(opened.connection, "s", "user", f"word {n}", START)
        opened.note_commit()
    held = files(directory)
    opened.close()
    for path, content in held.items():
        path.write_bytes(content)  # as a kill leaves them
    cut = directory / f"store.db{side}"
    cut.write_bytes(cut.read_bytes()[: -len(cut.read_bytes()) // 2])
    again = open_owner(directory, PLAIN)
    turns = len(history.turns(again.connection, "s"))
    again.close()
    if side == "-shm":
        assert (turns, again.notices) == (30, ())
    else:
        assert turns < 30
        assert f"the newest {30 - turns} messages are missing" in again.notices[0]


async def test_a_text_that_is_no_unicode_is_mended_and_stops_nothing(
    directory: Path, clock: ManualClock
) -> None:
    store = await Store.open(directory, PLAIN, clock)
    await store.write(log.start_session, START, "s")
    for words in ("the first words", "the other words"):
        await store.write(log.append, "s", "user", words, START)
    await store.write(_spoil)
    reader = await Store.open(directory, PLAIN, clock, mode="reader")
    with pytest.raises(StoreError, match="a stored text is damaged"):
        await reader.read(history.turns, "s")
    await reader.close()
    said = [turn.user.text for turn in await store.read(history.turns, "s") if turn.user]
    assert said == ["the �irst words", "the other words"]
    (found,) = await store.read(memories.list_memories)
    assert found.text == "The user likes � tea."
    assert await store.read(memories.search, "tea", 1)
    await store.close()


def _spoil(c: apsw.Connection) -> None:
    """As a broken writer leaves them: SQLite takes any bytes as TEXT."""
    swap = "UPDATE {} SET text = CAST(replace(CAST(text AS BLOB), {}, {}) AS TEXT) WHERE {}"
    c.execute(swap.format("messages", "x'66'", "x'ff'", "seq = 1"))
    memories.add(
        c, "The user likes X tea.", kind="fact", sources=[], vector=None, embedder="", now=START
    )
    c.execute(swap.format("memories", "x'58'", "x'fe'", "true"))


async def test_a_night_backs_up_once_a_lived_day_or_after_many_messages(
    directory: Path, clock: ManualClock
) -> None:
    store = await Store.open(directory, StoreSection(backups=2), clock)

    async def night() -> bool:
        made = await store.maintain(nightly, directory, store.key, store.section.backups)
        return made is not None

    assert not await night()  # nothing to keep yet
    await store.write(log.start_session, START, "s")
    await store.write(log.append, "s", "user", "words", START)
    assert await night()
    assert not await night()
    clock.advance(86_400)
    await store.write(log.append, "s", "user", "words", START)
    assert await night()
    clock.set_wall(START, trusted=False)
    for _ in range(200):
        await store.write(log.append, "s", "user", "words", START)
    assert await night()
    assert not await night()
    all_in(directory)[-1].write_bytes(b"damaged")
    assert await night()
    assert len(all_in(directory)) == 2
    await store.close()


async def test_without_a_file_it_works_in_ram_and_touches_no_file(
    directory: Path, clock: ManualClock
) -> None:
    await fill(directory, clock, encrypt=True)
    before = files(directory)
    store = await Store.in_ram(directory, StoreSection(), clock, StoreFailing("read-only"))
    assert store.notices == ("read-only; nothing is remembered until that is mended",)
    assert store.trouble == "read-only"
    await store.write(log.start_session, START, "s")
    await store.write(log.append, "s", "user", "words", START)
    assert len(await store.read(history.turns, "s")) == 1
    for attempt in (erase.erase_all(store), store.backup()):
        with pytest.raises(StoreFailing, match="read-only"):
            await attempt
    await store.close()
    assert files(directory) == before


def test_the_ballast_takes_its_room_and_gives_it_back(directory: Path) -> None:
    directory.mkdir()
    ballast.fill(directory)
    path = directory / "ballast"
    assert path.stat().st_blocks * 512 >= ballast.BALLAST_BYTES == path.stat().st_size
    ballast.free(directory)
    ballast.free(directory)
    assert not path.exists()
