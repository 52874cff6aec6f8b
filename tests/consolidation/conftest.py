"""A consolidation over a real store, on a model that follows rules."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.config import ConsolidationSection, ForgettingSection, StoreSection
from companion.consolidation.phase import Consolidation
from companion.consolidation.report import Progress, Report
from companion.records import Memory, Role
from companion.store import log, memories
from companion.store.database import Store
from tests.consolidation.scribe import scribe
from tests.fakes import HashEmbedder, Script, ScriptedModel

START = datetime(2026, 10, 7, 16, 0, tzinfo=timezone.utc)
"""A Wednesday."""

FIRST_DAY = (
    "Hello, my name is Emily. I have a dog named Rex.",
    "Rex is a fine name! What do you like to do?",
    "I like painting dragons. My swimming test is tomorrow.",
    "Good luck!",
    "I live in Leeds, near the canal.",
    "How nice.",
)


@dataclass
class World:
    """A store, what is said in it, and its nights."""

    store: Store
    clock: ManualClock
    model: ScriptedModel = field(default_factory=lambda: ScriptedModel(scribe))
    embedder: HashEmbedder = field(default_factory=lambda: HashEmbedder(256))

    async def talk(self, session: str, *said: str, time: datetime | None = None) -> None:
        """A whole session: the user's and the companion's messages by turns."""
        rows: list[tuple[Role, str, datetime]] = [
            ("assistant" if i % 2 else "user", text, (time or self.clock.wall()) + _minutes(i))
            for i, text in enumerate(said)
        ]
        await self.store.write(log.import_messages, session, rows)

    async def night(
        self,
        replies: Script | None = None,
        section: ConsolidationSection | None = None,
        forgetting: ForgettingSection | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Report:
        """One whole inactive phase."""
        if replies is not None:
            self.model = ScriptedModel(replies)
        return await Consolidation(
            self.model,
            self.embedder,
            self.store,
            self.clock,
            section=section or ConsolidationSection(mode="turns"),
            forgetting=forgetting or ForgettingSection(),
        ).run(on_progress)

    async def remembered(self) -> list[Memory]:
        return await self.store.read(memories.list_memories)

    async def texts(self) -> list[str]:
        return [memory.text for memory in await self.remembered()]


def _minutes(n: int) -> timedelta:
    return timedelta(minutes=n)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    clock = ManualClock(START)
    store = await Store.open(tmp_path, StoreSection(), clock)
    try:
        yield World(store, clock)
    finally:
        await store.close()
