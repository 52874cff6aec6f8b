"""What other processes do to a store in these tests, to be killed while they do it."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path

import apsw

from companion import faults
from companion.clock import ManualClock
from companion.config import StoreSection
from companion.errors import CompanionError, StoreFailing
from companion.store import erase, history, log, pending_erase
from companion.store.database import Store
from companion.store.migrations import MIGRATIONS
from companion.store.opening import open_owner

from .conftest import START
from .flaky import Disk


def write_for_ever(directory: Path, pipe: Connection) -> None:
    """Report every message that is held, then append, and report each acknowledged one."""

    async def run() -> None:
        store = await Store.open(directory, StoreSection(), ManualClock(START))
        held = [
            message.seq
            for session in await store.read(history.sessions)
            for turn in await store.read(history.turns, session.id)
            for message in (turn.user, turn.reply)
            if message is not None
        ]
        pipe.send((held, store.notices))
        opened = await store.read(history.open_session)
        session = opened.id if opened else await store.write(log.start_session, START)
        n = 0
        while True:
            n += 1
            time = START + timedelta(seconds=n)
            said = await store.write(log.append, session, "user", "word " * (n % 200), time)
            answered = await store.write(log.append, session, "assistant", "yes", time)
            pipe.send((said.seq, answered.seq))

    asyncio.run(run())


def own(directory: Path, pipe: Connection) -> None:
    """Try to own the store; report the outcome, and hold it until told to go."""

    async def run() -> None:
        try:
            store = await Store.open(directory, StoreSection(), ManualClock(START))
        except CompanionError as error:
            pipe.send((type(error).__name__, error.exit_code, str(error)))
            return
        pipe.send(("owner", 0, str(os.getpid())))
        pipe.recv()
        await store.close()

    asyncio.run(run())


def add_mood(c: apsw.Connection) -> None:
    """A second migration, as a later release would bring it."""
    c.execute("ALTER TABLE sessions ADD COLUMN mood TEXT")
    c.execute("UPDATE sessions SET mood = 'curious'")


def add_mood_and_die(directory: Path, pipe: Connection) -> None:
    """Run that migration and be killed before its mark is made."""

    def m002_mood(c: apsw.Connection) -> None:
        add_mood(c)
        os.kill(os.getpid(), signal.SIGKILL)

    open_owner(directory, StoreSection(), (*MIGRATIONS, m002_mood))


def erase_everything(directory: Path, pipe: Connection) -> None:
    """Say so, erase, say so."""

    async def run() -> None:
        store = await Store.open(directory, StoreSection(encrypt=False), ManualClock(START))
        pipe.send("begun")
        await erase.erase_all(store)
        pipe.send("done")

    asyncio.run(run())


def hide_and_die(directory: Path, pipe: Connection) -> None:
    """Hide a turn, and let it go for good until the fault that we are told of ends us."""

    async def run() -> None:
        store = await Store.open(directory, StoreSection(encrypt=False), ManualClock(START))
        id = await store.write(pending_erase.hide, {"turn": ["s", 1]}, 600, START)
        os.environ["COMPANION_FAULT"] = pipe.recv()
        faults.point("hidden")
        await erase.erase_pending(store, [id])

    asyncio.run(run())


def read_on_a_bad_disk(directory: Path, pipe: Connection) -> None:
    """Write, read while the disk fails every read, and write again when it works; report how the
    read failed and what is held at the end."""
    broken = False
    disk = Disk(lambda: None, lambda: apsw.IOError("bad sector") if broken else None)

    async def run() -> tuple[str, list[str]]:
        nonlocal broken
        store = await Store.open(directory, StoreSection(encrypt=False), ManualClock(START))
        await store.write(log.start_session, START, "s")
        await store.write(log.append, "s", "user", "before " * 2_000, START)
        await store.maintain(lambda c: c.pragma("shrink_memory"))  # nothing is cached
        broken = True
        try:
            await store.read(history.turns, "s")
            failure = "none"
        except Exception as error:
            failure = type(error).__name__
        broken = False
        await store.write(log.append, "s", "user", "after", START)
        turns = await store.read(history.turns, "s")
        await store.close()
        return failure, [turn.user.text.split()[0] for turn in turns if turn.user]

    pipe.send(asyncio.run(run()))
    disk.unregister()


def open_on_a_bad_disk(directory: Path, pipe: Connection) -> None:
    """Open a store that is whole, and has a backup, while its disk fails every read for a reason
    that is no damage; report how that failed, and which files there are afterwards."""
    broken = True
    disk = Disk(lambda: None, lambda: apsw.IOError("no room") if broken else None)
    try:
        open_owner(directory, StoreSection(encrypt=False)).close()
        failure = "none"
    except Exception as error:
        failure = type(error).__name__
    pipe.send((failure, sorted(path.name for path in directory.glob("store.db*"))))
    disk.unregister()


def write_on_a_bad_disk(directory: Path, pipe: Connection) -> None:
    """Append on a disk that fails one write in fifteen; report what was acknowledged, how often
    it was refused, and what is held."""
    chance, broken = random.Random(5), False
    disk = Disk(lambda: apsw.IOError("bad sector") if broken and chance.random() < 1 / 15 else None)

    async def run() -> tuple[list[str], int, list[str]]:
        nonlocal broken
        store = await Store.open(directory, StoreSection(encrypt=False), ManualClock(START))
        await store.write(log.start_session, START, "s")
        acknowledged, refused = [], 0
        broken = True
        for n in range(60):
            try:
                await store.write(log.append, "s", "user", f"word {n}", START)
            except StoreFailing:
                refused += 1
            else:
                acknowledged.append(f"word {n}")
        broken = False
        await store.close()
        store = await Store.open(directory, StoreSection(encrypt=False), ManualClock(START))
        turns = await store.read(history.turns, "s")
        await store.close()
        return acknowledged, refused, [turn.user.text for turn in turns if turn.user]

    pipe.send(asyncio.run(run()))
    disk.unregister()


def restore_and_die(directory: Path, pipe: Connection) -> None:
    """Open a damaged store, and be killed at the fault point that is named."""
    os.environ["COMPANION_FAULT"] = f"{pipe.recv()}:kill"
    open_owner(directory, StoreSection())
