"""A store with two days of talk, seen from two days later."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.engines.embedding.onnx import OnnxEmbedder
from companion.store.database import Store
from tests.recall.world import MONDAY, TALK, World


@pytest.fixture
async def world(tmp_path: Path, embedder_dir: Path) -> AsyncIterator[World]:
    clock = ManualClock(MONDAY)
    embedder = await OnnxEmbedder.load(embedder_dir, name="minilm", threads=1)
    store = await Store.open(tmp_path, StoreSection(encrypt=False), clock)
    clock.advance(timedelta(days=4).total_seconds())
    world = World(store, embedder, clock)
    for session, exchanges in TALK.items():
        await world.talked(session, *exchanges)
    yield world
    await store.close()
    await embedder.close()
