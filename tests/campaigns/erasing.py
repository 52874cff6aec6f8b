"""Things are said, remembered and erased; then every file is searched for what was erased."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.store import erase, memories
from companion.store.database import Store
from tests.campaigns.outcome import Outcome
from tests.store.conftest import START
from tests.store.canaries import remember, say, traces


def trials(folder: Path, chance: random.Random, count: int) -> Outcome:
    return asyncio.run(_trials(folder, chance, count))


async def _trials(folder: Path, chance: random.Random, count: int) -> Outcome:
    outcome = Outcome()
    directory = folder / "data"
    section = StoreSection(encrypt=False)
    store = await Store.open(directory, section, ManualClock(START))
    for number in range(count):
        session = f"s{number}"
        names = [f"{chance.random()}-{number}-{n}" for n in range(chance.randrange(1, 5))]
        await store.write(say, session, *names)
        ids = [
            await store.write(remember, name, (session, turn))
            for turn, name in enumerate(names, start=1)
        ]
        if chance.random() < 0.3:
            await store.backup()
        kind = chance.randrange(4)
        gone = names
        if kind == 0:
            await erase.erase_session(store, session)
        elif kind == 1:
            await erase.erase_all(store)
        elif kind == 2:
            gone = names[:1]
            await erase.erase_turn(store, session, 1)
        else:
            for id in ids:
                if await store.read(memories.get, id) is not None:
                    await erase.erase_memory(store, id)
            await erase.erase_session(store, session)
        if chance.random() < 0.2:
            await store.close()
            store = await Store.open(directory, section, ManualClock(START))
        if left := traces(directory, *gone):
            outcome.violations.append(f"trial {number}: traces in {left}")
        if number % 20 == 19:
            await erase.erase_all(store)
    await store.close()
    outcome.figures = f"{count} erasures, {len(outcome.violations)} with a byte left in any file"
    return outcome
