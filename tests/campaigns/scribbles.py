"""Bytes of an encrypted database are overwritten; the newest good backup takes its place."""

from __future__ import annotations

import asyncio
import random
import shutil
from pathlib import Path

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.store import history, log
from companion.store.database import Store
from tests.campaigns.outcome import Outcome
from tests.store.conftest import START

MESSAGES = 300
AFTER_BACKUP = 3
"""Said since the last backup: 1 % of all."""

SCRIBBLE_BYTES = 16


def scribbles(folder: Path, chance: random.Random, count: int) -> Outcome:
    return asyncio.run(_scribbles(folder, chance, count))


async def _scribbles(folder: Path, chance: random.Random, count: int) -> Outcome:
    outcome = Outcome()
    whole, directory = folder / "whole", folder / "data"
    await _fill(whole)
    database = (whole / "store.db").read_bytes()
    restored = empty = returned = 0
    for number in range(count):
        shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(whole, directory)
        at = chance.randrange(len(database) - SCRIBBLE_BYTES)
        damage = chance.randbytes(SCRIBBLE_BYTES)
        damaged = database[:at] + damage + database[at + SCRIBBLE_BYTES :]
        (directory / "store.db").write_bytes(damaged)
        store = await Store.open(directory, StoreSection(), ManualClock(START))
        turns = await store.read(history.turns, "s")
        said = [turn.user.text for turn in turns if turn.user]
        notices = store.notices
        await store.close()
        returned += len(said)
        if said != [_words(n) for n in range(len(said))]:
            outcome.violations.append(f"scribble {number} at {at}: other words than were said")
        if any("restored" in notice for notice in notices):
            restored += 1
            if not any(f"newest {MESSAGES - len(said)} messages" in each for each in notices):
                outcome.violations.append(f"scribble {number} at {at}: the gap is not named")
        elif len(said) == MESSAGES:
            empty += 1  # a page that is free, and that nobody ever reads
        else:
            outcome.violations.append(f"scribble {number} at {at}: not noticed")
    share = returned / (count * MESSAGES)
    if share < 0.99:
        outcome.violations.append(f"only {share:.2%} of the turns came back")
    outcome.figures = (
        f"{count} scribbles of {SCRIBBLE_BYTES} bytes, {restored} noticed and restored, {empty} in "
        f"free pages (nothing lost), {share:.2%} of turns back"
    )
    return outcome


async def _fill(directory: Path) -> None:
    store = await Store.open(directory, StoreSection(), ManualClock(START))
    await store.write(log.start_session, START, "s")
    for n in range(MESSAGES):
        if n == MESSAGES - AFTER_BACKUP:
            await store.backup()
        await store.write(log.append, "s", "user", _words(n), START)
    await store.close()


def _words(n: int) -> str:
    return f"words number {n} " * 10
