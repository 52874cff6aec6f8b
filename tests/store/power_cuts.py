"""Lives of a store on a disk that forgets what was not synced (lazy_disk.c), and who looks after.

`python -m tests.store.power_cuts`, with the disk preloaded, imports everything once and then, for
every order on stdin, forks a life; a line tells what it was promised, and how it ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import apsw

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.errors import StoreError, StoreFailing
from companion.store import history, log
from companion.store.database import Store
from tests.dialog.talk import talking
from tests.store.conftest import START

SOURCE = Path(__file__).with_name("lazy_disk.c")
CUT = 137
NEVER = -1
STEPS = 40
"""Of a life that nothing cuts."""

MOST_WRITES = 1000
"""About as many as a life writes."""


def compiler() -> str | None:
    """Who can build the disk; None where nobody can."""
    return shutil.which("cc") if sys.platform == "linux" else None


@dataclass
class Lives:
    """A running server."""

    process: subprocess.Popen[str]

    def live(
        self,
        directory: Path,
        seed: int,
        *,
        writes: int = NEVER,
        syncs: int = NEVER,
        failures: int = NEVER,
        lies: bool = False,
        life: str = "live",
        to: str = "*",
        fault: str = "",
    ) -> tuple[int, list[str]]:
        """One life on the store in `directory`: its exit code, and what was acknowledged.

        writes: the power goes with this one. syncs: so many work, then they fail with EIO, so
        often as `failures` says (NEVER: for ever). lies: a sync does nothing. life: of KINDS, or
        of the lives that the server was told of. to: only writes to files of this name count.
        fault: the power goes at this point of `companion.faults`.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        order = (str(directory), seed, writes, syncs, failures, lies, life, to, fault)
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        acknowledged = []
        while (line := self.process.stdout.readline().strip()) and not line.startswith("ended "):
            acknowledged.append(line)
        return int(line.removeprefix("ended ")), acknowledged


@contextmanager
def lives(folder: Path, module: str = "tests.store.power_cuts") -> Iterator[Lives]:
    """Builds the disk in `folder`. Needs a `compiler`. module: whose lives are lived; run as a
    program it calls `serve`."""
    library, cc = folder / "lazy_disk.so", compiler()
    assert cc is not None
    subprocess.run(
        [cc, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"], check=True
    )
    process = subprocess.Popen(
        [sys.executable, "-m", module, str(library)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "LD_PRELOAD": str(library)},
    )
    with process:
        yield Lives(process)
        assert process.stdin is not None
        process.stdin.close()


async def missing(directory: Path, acknowledged: Sequence[str]) -> list[str]:
    """What an acknowledgement or the store's soundness was worth, seen by a process whose disk is
    honest: a line for each thing that is wrong."""
    section = StoreSection(encrypt=(directory / "store.key").exists())
    try:
        store = await Store.open(directory, section, ManualClock(START))
    except StoreError as error:
        return [type(error).__name__]
    held = [
        message.text.split(" ", 1)[0]
        for session in await store.read(history.sessions)
        for turn in await store.read(history.turns, session.id)
        for message in (turn.user,)
        if message is not None
    ]
    notices = store.notices
    await store.close()
    wrong = (
        [f"{len(lost)} acknowledged words lost"] if (lost := set(acknowledged) - {*held}) else []
    )
    if len(held) != len(set(held)):
        wrong.append("words doubled")
    return wrong + (["the store was damaged"] if notices else [])


async def _live(directory: Path, seed: int, begin: Callable[[], None]) -> None:
    """Say, back up, checkpoint, close and open at random; tell what was acknowledged."""
    begin()
    chance = random.Random(seed)
    store = await _open(directory)
    for n in range(STEPS):
        kind = chance.random()
        try:
            if kind < 0.75:
                words = f"{seed}-{n} " + "word " * chance.choice((1, 10, 200, 2000))
                await store.write(_say, words)
                print(f"{seed}-{n}", flush=True)
            elif kind < 0.85:
                await store.maintain(_checkpoint)
            elif kind < 0.9:
                await store.backup()
            else:
                await store.close()
                store = await _open(directory)
        except StoreError:
            continue  # Nobody was promised anything.
    await store.close()


async def _open(directory: Path) -> Store:
    """Sooner or later, or the life ends."""
    for _ in range(20):
        try:
            return await Store.open(directory, StoreSection(), ManualClock(START))
        except StoreFailing:
            continue
    os._exit(0)


async def _talk(directory: Path, seed: int, begin: Callable[[], None]) -> None:
    """Turns of a dialog on a disk that goes bad once it was opened: one with a number has been
    acknowledged."""
    async with talking(directory) as talk:
        begin()
        for n in range(4):
            result = await talk.say(f"{seed}-{n} was said")
            assert result.text == "That is nice."
            print(f"{seed}-{n}" if result.turn is not None else "waits", flush=True)


async def _back_up(directory: Path, seed: int, begin: Callable[[], None]) -> None:
    """One backup on a disk that goes bad once the store was opened; tells how it went."""
    store = await _open(directory)
    await store.write(_say, "words")
    begin()
    try:
        await store.backup()
    except StoreFailing as error:
        print(error, flush=True)
    await store.close()


async def _start_again(directory: Path, seed: int, begin: Callable[[], None]) -> None:
    """Words that cannot be synced, a new start, and words that are acknowledged."""
    store = await _open(directory)
    await store.write(_say, "words")
    begin()
    for n in range(6):
        if n == 1:
            await store.close()
            store = await _open(directory)
        with contextlib.suppress(StoreError):
            await store.write(_say, f"{seed}-{n}")
            print(f"{seed}-{n}", flush=True)
    await store.close()


Life = Callable[[Path, int, Callable[[], None]], Coroutine[Any, Any, None]]
"""On the store in a folder, with a seed; it calls the last one when the disk may go bad."""

KINDS: dict[str, Life] = {
    "live": _live,
    "talk": _talk,
    "back up": _back_up,
    "start again": _start_again,
}


def _say(c: apsw.Connection, words: str) -> None:
    opened = history.open_session(c)
    session = opened.id if opened else log.start_session(c, START)
    log.append(c, session, "user", words, START)


def _checkpoint(c: apsw.Connection) -> None:
    c.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)


def serve(library: str, kinds: Mapping[str, Life]) -> None:
    """Fork a life for every order on stdin. library: the disk, preloaded into this process."""
    disk = ctypes.CDLL(library)
    for line in sys.stdin:
        directory, seed, writes, syncs, failures, lies, life, to, fault = json.loads(line)
        child = os.fork()
        if child == 0:
            if fault:
                os.environ["COMPANION_FAULT"] = f"{fault}:kill"
            disk.lazy_disk_counts(to.encode())
            below = os.path.realpath(directory).encode()
            counts = [ctypes.c_long(n) for n in (writes, syncs, failures)]
            begin = partial(disk.lazy_disk, below, seed, *counts, int(lies))
            asyncio.run(kinds[life](Path(directory), seed, begin))
            os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(f"ended {code}", flush=True)


if __name__ == "__main__":
    serve(sys.argv[1], KINDS)
