"""A process that is killed between a block and its vector loses nothing."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from companion.assist.assistant import Assistant
from companion.clock import ManualClock
from companion.config import AssistSection, StoreSection
from companion.consolidation.embed import EmbeddingBlocks
from companion.safety.pattern_guard import PatternGuard
from companion.store import blocks
from companion.store.database import Store
from tests.assist.child import SAID, START
from tests.fakes import HashEmbedder


async def test_a_block_without_a_vector_is_found_by_its_words_and_gets_one_at_night(
    tmp_path: Path,
) -> None:
    killed = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.assist.child", str(tmp_path)),
        env={**os.environ, "COMPANION_FAULT": "overheard:stored:kill"},
    )
    assert await asyncio.wait_for(killed.wait(), 120) == -signal.SIGKILL
    store = await Store.open(tmp_path, StoreSection(), ManualClock(START))
    try:
        embedder = HashEmbedder()
        [block] = await store.read(blocks.all_blocks)
        assert block.text == SAID
        assert [each.id for each in await store.read(blocks.unembedded, embedder.name, 9)] == [1]
        rules = AssistSection(by="cloze")
        assistant = Assistant(None, embedder, store, PatternGuard(), rules)
        assert (await assistant.assist(None, "Olu's sister Bisi is a")).answer == "vet in Hull"
        step = EmbeddingBlocks(embedder, store)
        [unit] = await store.read(step.pending)
        found = await step.infer(unit)
        await store.write(step.commit, unit, found)
        assert await store.read(step.pending) == []
    finally:
        await store.close()
