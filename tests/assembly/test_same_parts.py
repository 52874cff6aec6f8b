"""Chat and daemon open the same parts from one configuration, and use them as sparingly."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import BaseModel

from companion.assembly.companion import Companion
from companion.assembly.missing import Missing
from companion.cli.call import Call
from companion.cli.pipe import Notes
from companion.cli.talk import living
from companion.clock import SystemClock
from companion.daemon.daemon import Daemon
from companion.daemon.notify import Notifier
from companion.engines.embedding.onnx import OnnxEmbedder
from companion.engines.protocols import TextVectors
from companion.phases import Phases

pytestmark = pytest.mark.real

CONFIG = """llm: {active: {file: %s, context_tokens: 1024, threads: 1}}
embedder: {directory: %s}
persona: {examples: false}
dialog: {reply_tokens: 8}
retrieval: {budget_tokens: 120}
consolidation: {inactivity_s: 3600, nights: 5, mode: turns}
forgetting: {largest_gap_days: 3}
stt: {directory: /nowhere}
tts: {directory: /nowhere}
"""
SPOKEN = ("My hamster is called Biscuit and he sleeps all day.", "What is my hamster called?")

Opener = Callable[[Path, Path], AbstractAsyncContextManager[Phases]]


@pytest.fixture
def written(tmp_path: Path, llm_tiny_path: Path, embedder_dir: Path) -> Path:
    """A configuration whose language model and embedder are there."""
    file = tmp_path / "config.yaml"
    file.write_text(CONFIG % (llm_tiny_path, embedder_dir))
    return file


def a_call(file: Path, data_dir: Path) -> Call:
    asked = argparse.Namespace(config=file, profile=None, data_dir=data_dir, llm=None)
    return Call(asked, SystemClock())


@asynccontextmanager
async def chat(file: Path, data_dir: Path) -> AsyncIterator[Phases]:
    async with living(a_call(file, data_dir), Notes()) as talk:
        yield talk.phases


@asynccontextmanager
async def daemon(file: Path, data_dir: Path) -> AsyncIterator[Phases]:
    missing: list[Missing] = []
    call = a_call(file, data_dir)
    made = Daemon(
        call.config, call.clock, Notifier({}), missing=missing, stopping=lambda failed: None
    )
    running = asyncio.create_task(made.run())
    try:
        opened: Awaitable[Companion] = made.opened()
        yield (await asyncio.wait_for(opened, 120)).phases
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


def described(part: object, above: tuple[int, ...] = ()) -> Any:
    """What a part is made of, down to sections, clocks and engines: classes, in their order."""
    if isinstance(part, BaseModel):
        return type(part), part.model_dump()
    if isinstance(part, tuple | list):
        return [described(each, above) for each in part]
    kind = type(part)
    if not kind.__module__.startswith("companion.") or id(part) in above:
        return kind
    if isinstance(part, OnnxEmbedder) or kind.__module__.startswith("companion.engines.llama"):
        return kind, part.name, part.__dict__.get("_section")  # type: ignore[attr-defined] # both have one
    inner = {
        name: described(each, (*above, id(part)))
        for name, each in getattr(part, "__dict__", {}).items()
        if name != "_watcher"  # who is told differs: a terminal, or the journal
    }
    return kind, inner


async def test_chat_and_daemon_get_the_same_parts(written: Path, tmp_path: Path) -> None:
    parts = []
    for opener in (chat, daemon):
        async with opener(written, tmp_path / "data") as phases:
            await phases.sleep()
            await phases.rested()
            parts.append(described(phases))
    of_chat, of_daemon = parts
    assert of_chat == of_daemon
    assert str(of_chat) == str(of_daemon), "the same order"
    for each in ("CachedEmbedder", "Recall", "Classifier", "LlamaCpp", "Consolidation"):
        assert each in str(of_daemon), "it was looked at"


async def say_aloud(phases: Phases, words: str) -> None:
    """A spoken turn as the voice loop has it: likely words are read ahead, then answered."""
    async with phases.awake() as dialog:
        await dialog.expect(words)
        async with aclosing(dialog.reply(words, confidence=0.9)) as reply:
            async for _ in reply:
                pass


async def test_a_spoken_turn_embeds_each_text_once_in_chat_and_daemon(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded: list[str] = []
    embed, embed_tokens = OnnxEmbedder.embed, OnnxEmbedder.embed_tokens

    async def noted(self: OnnxEmbedder, texts: Sequence[str]) -> NDArray[np.float32]:
        embedded.extend(texts)
        return await embed(self, texts)

    async def noted_tokens(self: OnnxEmbedder, texts: Sequence[str]) -> list[TextVectors]:
        embedded.extend(texts)
        return await embed_tokens(self, texts)

    monkeypatch.setattr(OnnxEmbedder, "embed", noted)
    monkeypatch.setattr(OnnxEmbedder, "embed_tokens", noted_tokens)
    counted: dict[str, list[int]] = {}
    for name, opener in {"chat": chat, "daemon": daemon}.items():
        async with opener(written, tmp_path / name) as phases:
            for words in SPOKEN:
                embedded.clear()
                await say_aloud(phases, words)
                counted.setdefault(name, []).append(len(embedded))
                assert len(embedded) == len(set(embedded)), name
    assert counted["daemon"] == counted["chat"]
    assert all(counted["chat"])
