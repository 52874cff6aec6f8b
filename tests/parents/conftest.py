"""A store with a talk, memories and a profile, and one call for whatever a parent asks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import apsw
import pytest

from companion.clock import ManualClock
from companion.config import Config, StoreSection
from companion.parents import CHANGES, READS
from companion.records import BigFive, Personality, Source
from companion.store import intermediate, log, memories, notices, profile
from companion.store.database import Store

NOW = datetime(2026, 11, 21, 16, 0, tzinfo=timezone.utc)
EMBEDDER = "hash"

Ask = Callable[..., Awaitable[Any]]


def fill(c: apsw.Connection) -> None:
    """Yesterday's talk, which was learnt from, and one of today that is still open."""
    yesterday = NOW - timedelta(days=1)
    first = log.start_session(c, yesterday, "first")
    for said, reply in (
        ("I'm Mia and Biscuit is my hamster.", "Hello Mia!"),
        ("I can't eat peanuts.", "I will remember that."),
        ("I want to hurt myself.", "I'm glad you told me."),
        ("Somebody hurts me.", "Thank you for telling me."),
        ("I am so sad.", "Do you want to tell me more?"),
    ):
        log.append(c, first, "user", said, yesterday)
        log.append(c, first, "assistant", reply, yesterday)
    notices.mark(c, "self-harm", first, 3, tell=yesterday)
    notices.mark(c, "abuse", first, 4, tell=None)
    notices.mark(c, "worry", first, 5, tell=None)
    log.end_session(c, first, yesterday)
    _remember(c, "Biscuit is a hamster.", "pet", Source(first, 1, "Biscuit is my hamster"))
    _remember(c, "The user can't eat peanuts.", "health", Source(first, 2, "I can't eat peanuts"))
    profile.note(c, "name", "Mia", Source(first, 1, "I'm Mia"), yesterday)
    profile.note(c, "age", "7", None, yesterday)
    intermediate.add_chunks(c, first, [(1, 5)])
    intermediate.put_evidence(
        c,
        first,
        1,
        intermediate.Evidence(first, 1, yesterday, 9, "curious", BigFive(), ("Biscuit is my",)),
    )
    profile.put_personality(c, Personality("Curious."), yesterday)
    log.mark_consolidated(c, first, yesterday)
    second = log.start_session(c, NOW, "second")
    log.append(c, second, "user", "Biscuit is a guinea pig, not a hamster.", NOW)
    new = _remember(
        c, "Biscuit is a guinea pig.", "pet", Source(second, 1, "Biscuit is a guinea pig"), NOW
    )
    memories.supersede(c, 1, new)


def _remember(
    c: apsw.Connection, text: str, kind: str, source: Source, said: datetime | None = None
) -> int:
    return memories.add(
        c,
        text,
        kind=kind,
        sources=[source],
        vector=None,
        embedder=EMBEDDER,
        now=NOW,
        said=said or NOW - timedelta(days=1),
    )


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOW)


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(data_dir=tmp_path / "data", store=StoreSection(encrypt=False))


@pytest.fixture
async def store(config: Config, clock: ManualClock) -> AsyncIterator[Store]:
    store = await Store.open(config.data_dir, config.store, clock)
    await store.write(fill)
    yield store
    await store.close()


@pytest.fixture
def ask(store: Store, config: Config, clock: ManualClock) -> Ask:
    """`await ask("memory", id=1)`."""

    async def ask(do: str, **details: Any) -> Any:
        return await {**READS, **CHANGES}[do](store, config, clock, {"do": do, **details})

    return ask
