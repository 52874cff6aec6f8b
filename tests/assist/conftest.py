"""An assistant over a real store, with a model that says what it is told to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from companion.assist.assistant import Assistant, Assisted
from companion.clock import ManualClock
from companion.config import AssistSection, StoreSection
from companion.engines.protocols import SpanReader
from companion.safety.pattern_guard import PatternGuard
from companion.store import blocks, log, token_bits
from companion.store.database import Store
from tests.fakes import HashEmbedder, Script, ScriptedModel

START = datetime(2026, 10, 7, 16, 0, tzinfo=timezone.utc)


@dataclass
class Talk:
    """What was told, and who is asked for it."""

    store: Store
    model: ScriptedModel
    embedder: HashEmbedder
    told: int = 0
    spans: SpanReader | None = None

    async def block(self, text: str, days: int = 0) -> int:
        """Something that was overheard, with its vector."""
        time = START + timedelta(days=days)
        id = await self.store.write(blocks.add, text, time)
        [read] = await self.embedder.embed_tokens([blocks.block_text(text, time)])
        bits = token_bits.signs(read.tokens)
        name = self.embedder.name
        await self.store.write(blocks.put_vector, id, name, read.vector, bits)
        return id

    async def turn(self, text: str, reply: str = "Aha.") -> str:
        """Something that was said to the companion, in a session of its own."""
        self.told += 1
        session = f"day-{self.told}"
        rows = [("user", text, START), ("assistant", reply, START)]
        await self.store.write(log.import_messages, session, rows)  # type: ignore[arg-type]
        return session

    def assistant(self, **section: object) -> Assistant:
        chosen = AssistSection.model_validate(section)
        guard = PatternGuard()
        own = (self.model, self.embedder, self.store, guard, chosen)
        return Assistant(*own, spans=self.spans)

    async def ask(self, query: str | None, context: str = "", **section: object) -> Assisted:
        return await self.assistant(**section).assist(query, context)


MakeTalk = Callable[[Script], Talk]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await Store.open(tmp_path, StoreSection(encrypt=False), ManualClock(START))
    yield store
    await store.close()


@pytest.fixture
def talk(store: Store) -> MakeTalk:
    return lambda script: Talk(store, ScriptedModel(script), HashEmbedder(256))
