"""The power goes: at random moments of a daemon's life, at every named point of a night and a turn,
and in the middle of sweeping, checkpointing and backing up."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.errors import StoreError
from companion.store import history, memories
from companion.store.database import Store
from tests.campaigns.daemon_lives import SAID, SLEPT, TAKEN_BACK, THING, WITHDRAWN
from tests.campaigns.outcome import Outcome
from tests.consolidation import test_cuts as nights
from tests.consolidation.child import night, nursery
from tests.dialog.test_cuts import POINTS as TURN_POINTS
from tests.dialog.test_cuts import talk_until_killed, violations_after
from tests.store.conftest import START, files
from tests.store.power_cuts import CUT, NEVER, compiler, lives

LIVES_EACH = 3
"""Of one store, one after the other."""

MOST_WRITES = 2000
"""About as many as a life of the daemon writes."""

UPKEEP = (
    ("*", 0, "sweep:begun"),
    ("*", 0, "backup:named"),
    ("store.db", 1, ""),  # a checkpoint alone writes there
    ("unfinished*", 20, ""),
    ("*", 0, "sweep:backups-gone"),
    ("*", 0, "sweep:rewritten"),
    ("*", 0, "sweep:emptied"),
    ("*", 0, "sweep:noted"),
    ("*", 0, "backup:copied"),
    ("store.db", 5, ""),
    ("store.db", 25, ""),
    ("unfinished*", 1, ""),
)
"""To which files which write is the last, or the point at which the power goes."""

NO_DISK = "not run: the disk that forgets needs Linux and a C compiler"


def random_kills(folder: Path, chance: random.Random, count: int) -> Outcome:
    """The real daemon talks and sleeps on a disk that forgets what was not synced, and the power
    goes; an honest process looks for all that was acknowledged, and for what is there twice."""
    outcome = Outcome(NO_DISK)
    if compiler() is None:
        return outcome
    cuts = acknowledged = 0
    with lives(folder, "tests.campaigns.daemon_lives") as server:
        for number in range(count):
            directory = folder / f"data-{number // LIVES_EACH}"
            if number % LIVES_EACH == 0:
                directory.mkdir()
                told = list[str]()
            writes = chance.randrange(1, MOST_WRITES)
            code, heard = server.live(directory, number, writes=writes, life="daemon")
            cuts += code == CUT
            acknowledged += len(heard)
            told += heard
            wrong = asyncio.run(_looked_after(directory, told))
            outcome.violations += [f"kill {number}: {each}" for each in wrong]
            if code not in (0, CUT):
                outcome.violations.append(f"kill {number}: exit code {code}")
    outcome.figures = (
        f"{count} lives of the daemon, {cuts} of them cut: {acknowledged} acknowledgements, "
        f"{len(outcome.violations)} violations"
    )
    return outcome


def kills_in_upkeep(folder: Path, chance: random.Random, count: int) -> Outcome:
    """The same, but that the power goes within a sweep, a checkpoint or a backup, by name."""
    outcome = Outcome(NO_DISK)
    if compiler() is None:
        return outcome
    with lives(folder, "tests.campaigns.daemon_lives") as server:
        before = folder / "before"
        before.mkdir()
        _, lived = server.live(before, 0, life="daemon")
        for number in range(count):
            to, writes, fault = UPKEEP[number % len(UPKEEP)]
            what = fault or f"write {writes} to {to}"
            directory = folder / f"data-{number}"
            shutil.copytree(before, directory)
            writes = writes + chance.randrange(3) if writes else NEVER
            seed = number + 1
            code, heard = server.live(
                directory, seed, writes=writes, to=to, fault=fault, life="daemon"
            )
            if code != CUT:
                outcome.violations.append(f"{what}: was never reached (exit code {code})")
            wrong = asyncio.run(_looked_after(directory, [*lived, *heard]))
            outcome.violations += [f"{what}: {each}" for each in wrong]
            shutil.rmtree(directory)
    outcome.figures = (
        f"{count} power cuts at {min(count, len(UPKEEP))} places in sweep, checkpoint and backup, "
        f"{len(outcome.violations)} violations"
    )
    return outcome


@dataclass(frozen=True)
class _Held:
    """What a store holds, seen by a process whose disk is honest."""

    said: list[str]
    replied: list[str]
    remembered: list[str]
    quoted: list[str]
    notices: tuple[str, ...]


async def _looked_after(directory: Path, told: Sequence[str]) -> list[str]:
    """What is wrong with a store after a cut, in lines without a word of it. told: what its lives
    told, in order."""
    try:
        held = await _held(directory)
    except StoreError as error:
        return [type(error).__name__]
    by_kind: dict[str, list[str]] = {SAID: [], WITHDRAWN: [], TAKEN_BACK: [], SLEPT: []}
    slept = set[str]()
    for line in told:
        kind, _, name = line.partition(" ")
        by_kind[kind].append(name)
        if kind == SLEPT:
            slept |= set(by_kind[SAID])
    kept = set(by_kind[SAID]) - set(by_kind[WITHDRAWN])
    wrong = ["the store was damaged, or messages are missing"] if held.notices else []
    for what, texts in (("words", held.said), ("replies", held.replied)):
        if lost := [each for each in kept if not _speaks(texts, each)]:
            wrong.append(f"{len(lost)} acknowledged {what} lost")
    for what in ("said", "replied", "remembered"):
        named = [each for each in getattr(held, what) if THING.search(each)]
        if max(Counter(named).values(), default=0) > 1:
            wrong.append(f"something is there twice among what was {what}")
    if unlearnt := [each for each in kept & slept if not _speaks(held.quoted, each)]:
        wrong.append(f"{len(unlearnt)} things that a night had learnt are gone")
    for path, content in files(directory).items():
        if any(name.encode() in content for name in by_kind[TAKEN_BACK]):
            wrong.append(f"bytes of what was taken back remain in {path.name}")
    if unsound := [path.name for path in _files(directory) if not _is_sound(path)]:
        wrong.append(f"unsound: {', '.join(unsound)}")
    return wrong


async def _held(directory: Path) -> _Held:
    store = await Store.open(directory, StoreSection(encrypt=False), ManualClock(START))
    try:
        sessions = await store.read(history.sessions)
        turns = [turn for s in sessions for turn in await store.read(history.turns, s.id)]
        known = await store.read(memories.list_memories)
        return _Held(
            [turn.user.text for turn in turns if turn.user],
            [turn.reply.text for turn in turns if turn.reply],
            [memory.text for memory in known],
            [source.quote for memory in known for source in memory.sources],
            store.notices,
        )
    finally:
        await store.close()


def _speaks(texts: Sequence[str], name: str) -> bool:
    return any(f" {name} " in text for text in texts)


def _files(directory: Path) -> list[Path]:
    return [directory / "store.db", *(directory / "backups").glob("*.db")]


def _is_sound(path: Path) -> bool:
    """By Python's own SQLite, which knows nothing of ours."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as c:
            return bool(c.execute("PRAGMA integrity_check").fetchone() == ("ok",))
    except sqlite3.Error:
        return False


def kills_at_points(folder: Path, chance: random.Random, count: int) -> Outcome:
    """Nights and turns, cut at every named point: the end is as if nothing had been."""
    outcome = Outcome()
    with nursery() as running:
        for round_ in range(count):
            cut, uncut = folder / f"cut-{round_}", folder / f"uncut-{round_}"
            expected = asyncio.run(_two_days(cut, uncut))
            for point in chance.sample(nights.POINTS, len(nights.POINTS)):
                running.run(cut, fault=point)
            running.run(cut)
            if asyncio.run(nights.state_of(cut)) != expected:
                outcome.violations.append(f"night {round_}: another end than uncut")
    for round_ in range(count):
        for point in TURN_POINTS:
            directory = folder / f"turn-{round_}-{point.replace(':', '-')}"
            talk_until_killed(directory, point)
            outcome.violations += asyncio.run(violations_after(directory, point))
    points = len(nights.POINTS) + len(TURN_POINTS)
    outcome.figures = (
        f"{count} kills at each of {points} points, {len(outcome.violations)} violations"
    )
    return outcome


async def _two_days(cut: Path, uncut: Path) -> dict[str, object]:
    for directory in (cut, uncut):
        await nights.talk(directory, "day-0", nights.DAYS[0])
        await night(directory)
        await nights.talk(directory, "day-1", nights.DAYS[1])
    await night(uncut)
    return await nights.state_of(uncut)
