"""What was acknowledged is kept: through kill -9, a lost -wal, and damaged files."""

from __future__ import annotations

import random
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.errors import StoreError
from companion.store import history, log
from companion.store.backup import all_in
from companion.store.database import Store

from .child import write_for_ever
from .conftest import START
from .processes import process

KILLS = 30


def drain(pipe: Connection) -> list[int]:
    """All numbers that were acknowledged before the pipe broke."""
    seqs: list[int] = []
    try:
        while pipe.poll(1):
            seqs += pipe.recv()
    except (EOFError, ConnectionResetError):
        pass
    return seqs


@pytest.mark.slow
def test_thirty_kills_lose_nothing_that_was_acknowledged(directory: Path) -> None:
    chance = random.Random(7)
    acknowledged: set[int] = set()
    for _ in range(KILLS):
        with process(write_for_ever, directory) as (child, pipe):
            held, notices = pipe.recv()
            assert acknowledged <= set(held)
            assert len(held) == len(set(held))
            assert notices == ()
            acknowledged |= set(pipe.recv())
            time.sleep(chance.uniform(0, 0.1))
            child.kill()
            acknowledged |= set(drain(pipe))
    assert len(acknowledged) >= 2 * KILLS


def test_a_lost_wal_is_noticed_and_its_numbers_are_never_used_again(directory: Path) -> None:
    with process(write_for_ever, directory) as (child, pipe):
        pipe.recv()
        for _ in range(5):
            last = max(pipe.recv())
        child.kill()
        last = max([last, *drain(pipe)])
    (directory / "store.db-wal").unlink()
    (directory / "store.db-shm").unlink()
    with process(write_for_ever, directory) as (_, pipe):
        held, notices = pipe.recv()
        (notice,) = notices
        assert f"the newest {last - max(held, default=0)} messages are missing" in notice
        assert min(pipe.recv()) == last + 1


async def fill(directory: Path, clock: ManualClock, encrypt: bool) -> None:
    """A store with a backup of its first ten messages, and two more."""
    store = await Store.open(directory, StoreSection(encrypt=encrypt), clock)
    await store.write(log.start_session, START, "s")
    for n in range(10):
        await store.write(log.append, "s", "user", f"message {n} " * 20, START)
    await store.backup()
    for n in range(2):
        await store.write(log.append, "s", "user", f"late {n}", START)
    await store.close()


async def test_a_damaged_file_is_put_aside_and_restored_with_a_word_on_what_is_missing(
    directory: Path, clock: ManualClock
) -> None:
    await fill(directory, clock, encrypt=True)
    path = directory / "store.db"
    whole = path.read_bytes()
    chance = random.Random(3)
    for n in range(1, 11):
        at = chance.randrange(len(whole) - 16)
        damaged = whole[:at] + chance.randbytes(16) + whole[at + 16 :]
        path.write_bytes(damaged)
        store = await Store.open(directory, StoreSection(), clock)
        assert len(await store.read(history.turns, "s")) == 10
        restored, missing = store.notices
        assert f"store.db.corrupt.{n}" in restored
        assert "the newest 2 messages are missing" in missing
        assert (directory / f"store.db.corrupt.{n}").read_bytes() == damaged
        await store.close()


async def test_a_damaged_newest_backup_is_passed_over(directory: Path, clock: ManualClock) -> None:
    await fill(directory, clock, encrypt=False)
    store = await Store.open(directory, StoreSection(encrypt=False), clock)
    newest = await store.backup()
    await store.close()
    assert newest is not None
    newest.write_bytes(b"not a database")
    (directory / "store.db").write_bytes(b"SQLite format 3\0" + bytes(5000))
    store = await Store.open(directory, StoreSection(encrypt=False), clock)
    assert len(await store.read(history.turns, "s")) == 10
    await store.close()


@pytest.mark.parametrize("encrypt", [True, False])
async def test_damage_without_any_backup_is_named_and_left_alone(
    directory: Path, clock: ManualClock, encrypt: bool
) -> None:
    await fill(directory, clock, encrypt)
    for path in all_in(directory):
        path.unlink()
    path = directory / "store.db"
    damaged = path.read_bytes()[:4096] + bytes(4096) + path.read_bytes()[8192:]
    path.write_bytes(damaged)
    with pytest.raises(StoreError, match="damaged and there is no backup"):
        await Store.open(directory, StoreSection(encrypt=encrypt), clock)
    assert path.read_bytes() == damaged


async def test_backups_are_encrypted_rotated_and_whole(directory: Path, clock: ManualClock) -> None:
    store = await Store.open(directory, StoreSection(backups=2), clock)
    await store.write(log.start_session, START, "s")
    await store.write(log.append, "s", "user", "canary-7731", START)
    for _ in range(4):
        await store.backup()
    await store.close()
    assert [path.name for path in all_in(directory)] == ["store.3.db", "store.4.db"]
    assert sorted(path.name for path in (directory / "backups").iterdir()) == [
        "store.3.db",
        "store.4.db",
    ]
    for path in all_in(directory):
        content = path.read_bytes()
        assert b"canary-7731" not in content
        assert not content.startswith(b"SQLite format 3")
        assert path.stat().st_mode & 0o777 == 0o600


async def test_no_backups_when_none_are_wanted(directory: Path, clock: ManualClock) -> None:
    store = await Store.open(directory, StoreSection(backups=0), clock)
    assert await store.backup() is None
    assert not all_in(directory)
    await store.close()


async def test_the_newest_of_two_good_backups_is_restored(
    directory: Path, clock: ManualClock
) -> None:
    await fill(directory, clock, encrypt=True)
    store = await Store.open(directory, StoreSection(), clock)
    await store.backup()
    await store.close()
    (directory / "store.db").write_bytes(b"garbage " * 1000)
    store = await Store.open(directory, StoreSection(), clock)
    assert len(await store.read(history.turns, "s")) == 12
    assert not any("missing" in notice for notice in store.notices)
    await store.close()
