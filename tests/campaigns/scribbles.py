"""Bytes of an encrypted database that has lived for weeks are overwritten, at times also of its
newest backup; the newest good one takes its place. What was said since that backup is lost."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

from companion import language
from companion.clock import ManualClock
from companion.config import StoreSection
from companion.errors import CompanionError
from companion.store import backup, history, memories
from companion.store.database import Store
from tests.campaigns.outcome import Outcome
from tests.consolidation.child import FEW_EXAMPLES
from tests.consolidation.conftest import START, World
from tests.fakes import HashEmbedder

MOST_DAYS = 35
"""More than raw turns are kept (`forgetting.turn_days`)."""

A_DAY = 20
"""Turns."""

DISTANCES = (0, 4, 20, 90)
"""Turns said since the last night, which ends with a backup."""

SCRIBBLE_BYTES = 16


@dataclass(frozen=True)
class _Held:
    """What a store holds, and all that it is compared by."""

    said: tuple[str, ...]
    remembered: tuple[str, ...]


def scribbles(folder: Path, chance: random.Random, count: int) -> Outcome:
    return asyncio.run(_scribbles(folder, chance, count))


async def _scribbles(folder: Path, chance: random.Random, count: int) -> Outcome:
    outcome = Outcome()
    days = min(MOST_DAYS, 5 + count)
    night_before, night = await _live(folder / "grown", days)
    stores = [folder / f"store-{distance}" for distance in DISTANCES]
    wholes = [
        await _talked_on(folder / "grown", directory, distance)
        for directory, distance in zip(stores, DISTANCES, strict=True)
    ]
    restored = untouched = older = 0
    lost = dict.fromkeys(DISTANCES, 0)
    for number in range(count):
        at = number % len(DISTANCES)
        directory = folder / "data"
        shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(stores[at], directory)
        _scribble(directory / "store.db", chance)
        backups = backup.all_in(directory)
        both = number % 5 == 4 and len(backups) > 1
        if both:
            _scribble(backups[-1], chance)
        try:
            held, notices = await _opened(directory)
        except CompanionError as error:
            outcome.violations.append(f"scribble {number}: {type(error).__name__} at the start")
            continue
        missing = len(wholes[at].said) - len(held.said)
        if held == wholes[at] and not any("restored" in each for each in notices):
            untouched += 1  # a page that is free, and that nobody ever reads
        elif held == night or (both and held == night_before):
            restored += 1
            older += held != night
            lost[DISTANCES[at]] = max(lost[DISTANCES[at]], missing if held == night else 0)
            if missing and not any(f"newest {missing} messages" in each for each in notices):
                outcome.violations.append(f"scribble {number}: the gap is not named")
        else:
            outcome.violations.append(
                f"scribble {number}: {missing} messages lost, {2 * DISTANCES[at]} said since the "
                "backup" + (", or other words than were said" if missing <= 0 else "")
            )
    losses = ", ".join(f"{2 * distance}: {most}" for distance, most in lost.items())
    size = (stores[-1] / "store.db").stat().st_size / 1e6
    outcome.figures = (
        f"{count} scribbles of {SCRIBBLE_BYTES} bytes over a store of {days} days and {size:.1f} "
        f"MB with {len(backups)} backups, {restored} noticed and restored "
        f"({older} from the backup before the newest), {untouched} in free pages (nothing lost); "
        f"lost at most, by messages since the backup: {losses}"
    )
    return outcome


async def _live(directory: Path, days: int) -> tuple[_Held, _Held]:
    """So many days of talk, each with its night; what was held after the last two."""
    clock, held = ManualClock(START), [_Held((), ())]
    store = await Store.open(directory, StoreSection(), clock)
    world = World(store, clock, embedder=HashEmbedder(384))
    with patch.object(language.kinds, "examples", lambda: FEW_EXAMPLES):
        for day in range(days):
            await world.talk(f"day-{day}", *_talk(day, A_DAY))
            clock.advance(43_200)
            await world.night()
            held.append(await _held(store))
            clock.advance(43_200)
    await store.close()
    return held[-2], held[-1]


async def _talked_on(grown: Path, directory: Path, turns: int) -> _Held:
    """A copy of that store on the day after."""
    shutil.copytree(grown, directory)
    clock = ManualClock(START + timedelta(days=MOST_DAYS))
    store = await Store.open(directory, StoreSection(), clock)
    if turns:
        await World(store, clock).talk("today", *_talk(MOST_DAYS, turns))
    held = await _held(store)
    await store.close()
    return held


def _talk(day: int, turns: int) -> Sequence[str]:
    """What is said by turns; a fact now and then."""
    said = []
    for n in range(turns):
        fact = f"I have a kite named kite{day}x{n}." if n % 10 == 0 else "Why is that so, tell me?"
        said += [f"{fact} This is number {n} of day {day}.", f"Well, {n} of {day} it is. " * 4]
    return said


def _scribble(path: Path, chance: random.Random) -> None:
    data = path.read_bytes()
    at = chance.randrange(len(data) - SCRIBBLE_BYTES)
    damage = chance.randbytes(SCRIBBLE_BYTES)
    path.write_bytes(data[:at] + damage + data[at + SCRIBBLE_BYTES :])


async def _opened(directory: Path) -> tuple[_Held, Sequence[str]]:
    clock = ManualClock(START + timedelta(days=MOST_DAYS))
    store = await Store.open(directory, StoreSection(), clock)
    try:
        return await _held(store), store.notices
    finally:
        await store.close()


async def _held(store: Store) -> _Held:
    sessions = await store.read(history.sessions)
    turns = [turn for s in sessions for turn in await store.read(history.turns, s.id)]
    said = [message.text for turn in turns for message in (turn.user, turn.reply) if message]
    known = await store.read(memories.list_memories)
    return _Held(tuple(said), tuple(memory.text for memory in known))
