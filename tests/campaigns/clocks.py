"""Wall clocks that jump at random, over a store that lives and fades by lived time.

Beside the store runs what an honest clock would have said. Memories may only ever look younger
than that, and what was used in the last lived day is never put away.
"""

from __future__ import annotations

import asyncio
import random
from datetime import datetime, timedelta, timezone
from pathlib import Path

import apsw

from companion.clock import ManualClock
from companion.config import ForgettingSection, StoreSection
from companion.consolidation.forget import forget
from companion.store import lived, memories
from companion.store.database import Store
from tests.campaigns.outcome import Outcome
from tests.store.conftest import START

_EPOCH = datetime(1970, 1, 1, 0, 1, tzinfo=timezone.utc)


def jumps(folder: Path, chance: random.Random, count: int) -> Outcome:
    return asyncio.run(_jumps(folder, chance, count))


async def _jumps(folder: Path, chance: random.Random, count: int) -> Outcome:
    outcome = Outcome()
    clock, section = ManualClock(START), ForgettingSection()
    store = await Store.open(folder / "data", StoreSection(encrypt=False), clock)
    honest = faded = early = 0
    used_at: dict[int, float] = {}
    running = 0.0
    for number in range(count):
        seconds = chance.choice((1.0, 600.0, 3600.0, 86_400.0))
        clock.advance(seconds)
        running += seconds
        _jump(clock, chance)
        if chance.random() < 0.1:
            id = await store.write(_remember, number)
            used_at[id] = running
        before = await store.write(lived.now)
        if before > running + 1:
            outcome.violations.append(f"jump {number}: lived time runs ahead")
        if clock.trusted():
            put_away = await store.write(_forget, section, clock)
            for id in put_away:
                age_days = (running - used_at.pop(id)) / lived.DAY_S
                faded += 1
                early += age_days < 4.6
        honest += 1
    if early:
        outcome.violations.append(f"{early} memories were put away too early")
    await store.close()
    outcome.figures = (
        f"{honest} jumps (to 1970, and up to 10 years either way), {faded} memories faded, "
        f"{early} of them too early"
    )
    return outcome


def _jump(clock: ManualClock, chance: random.Random) -> None:
    kind = chance.randrange(4)
    if kind == 0:
        clock.set_wall(_EPOCH, trusted=False)
    elif kind == 1:
        clock.set_wall(START + timedelta(days=chance.uniform(-3650, 3650)))
    elif kind == 2:
        clock.set_wall(START + timedelta(hours=chance.choice((-1, 1))))  # daylight saving


def _remember(c: apsw.Connection, number: int) -> int:
    return memories.add(
        c,
        f"memory {number}",
        kind="fact",
        sources=[],
        vector=None,
        embedder="",
        now=START,
    )


def _forget(c: apsw.Connection, section: ForgettingSection, clock: ManualClock) -> list[int]:
    before = {memory.id for memory in memories.list_memories(c)}
    forget(c, section, clock.wall().date())
    after = {memory.id for memory in memories.list_memories(c)}
    return sorted(before - after)
