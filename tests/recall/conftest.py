"""A store with two days of talk, seen from two days later."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.engines.embedding.onnx import OnnxEmbedder
from companion.recall.embedding import embed_turn
from companion.records import Role
from companion.store import (
    history,
    log,
)
from companion.store.database import Store
from tests.recall.world import MONDAY, TALK, World


@pytest.fixture
async def world(tmp_path: Path, embedder_dir: Path) -> AsyncIterator[World]:
    clock = ManualClock(MONDAY)
    embedder = await OnnxEmbedder.load(embedder_dir, name="minilm", threads=1)
    store = await Store.open(tmp_path, StoreSection(encrypt=False), clock)
    for session, exchanges in TALK.items():
        day = datetime.fromisoformat(f"{session[:10]}T17:00:00+00:00")
        rows: list[tuple[Role, str, datetime]] = []
        for said, reply in exchanges:
            rows += [("user", said, day), ("assistant", reply, day)]
        await store.write(log.import_messages, session, rows)
        for turn in await store.read(history.turns, session):
            await store.write((await embed_turn(embedder, turn)).put)
    clock.advance(timedelta(days=4).total_seconds())
    yield World(store, embedder, clock)
    await store.close()
    await embedder.close()
