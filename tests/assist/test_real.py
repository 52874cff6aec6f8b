"""On real weights: after a request the dialog goes on as if nothing had been."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest

from companion.assist.assistant import Assistant
from companion.config import AssistSection, DialogSection, LlmSection, PersonaSection
from companion.dialog.prompt import user_text
from companion.engines.embedding.onnx import OnnxEmbedder
from companion.engines.llama.model import LlamaCpp
from companion.engines.protocols import ChatMessage
from companion.safety.pattern_guard import PatternGuard
from companion.store import blocks
from tests.assist.conftest import MakeTalk
from tests.dialog.talk import START, talking

pytestmark = pytest.mark.real

PLAIN = PersonaSection(greeting=False, examples=False)
WORDS = ("Tell me about whales.", "Wow!", "What do they eat, and how deep can they dive?", "Why?")
REQUESTS = 8


async def test_the_next_warm_turn_evaluates_its_words_and_at_most_16_tokens_more(
    tmp_path: Path, llm_tiny_path: Path
) -> None:
    settings = LlmSection(context_tokens=2048, threads=1)
    section = DialogSection(window_messages=4, window_slack=6, reply_tokens=8)
    model = await LlamaCpp.load(llm_tiny_path, settings, name="tiny")
    try:
        async with talking(tmp_path, model, section=section, persona=PLAIN) as talk:
            await talk.store.write(blocks.add, "Bisi is a vet in Hull, and keeps a fox.", START)
            assistant = Assistant(
                model, talk.embedder, talk.store, PatternGuard(), AssistSection(by="model")
            )
            over = []
            for words in itertools.islice(itertools.cycle(WORDS), REQUESTS):
                await talk.dialog.warm()
                found = await assistant.assist("What does Bisi do?", "I met Bisi again.")
                assert found.by == "model"
                assert 0 < found.evaluated_tokens < 160
                empty = model.count([ChatMessage("user", "")])
                own = model.count([ChatMessage("user", user_text(words, ""))]) - empty
                over.append((await talk.say(words)).evaluated_tokens - own)
        assert max(over) <= 16
    finally:
        await model.close()


async def test_what_was_read_when_somebody_spoke_is_not_read_again(
    tmp_path: Path, llm_tiny_path: Path
) -> None:
    settings = LlmSection(context_tokens=2048, threads=1, prefill_slice=16)
    model = await LlamaCpp.load(llm_tiny_path, settings, name="tiny")
    try:
        async with talking(tmp_path, model, persona=PLAIN) as talk:
            await talk.store.write(blocks.add, "Bisi is a vet in Hull, and keeps a fox.", START)
            assistant = Assistant(
                model, talk.embedder, talk.store, PatternGuard(), AssistSection(by="model")
            )
            tries = 0
            while not assistant.ready:
                tries += 1
                reading = asyncio.create_task(assistant.get_ready())
                await asyncio.wait([reading], timeout=0.5)
                reading.cancel()
                await asyncio.wait([reading])
                assert tries < 500
            await assistant.read_ahead("I met Bisi in Hull, she is a")
            found = await assistant.assist("What does Bisi do?", "I met Bisi in Hull, she is a")
            assert found.by == "model"
            assert found.evaluated_tokens <= 40
    finally:
        await model.close()


@pytest.mark.parametrize("word", ["unknown", "the fence", "forty"])
async def test_where_the_models_word_does_not_hold_nothing_is_said(
    talk: MakeTalk, embedder_dir: Path, word: str
) -> None:
    told = talk([word])
    told.embedder = await OnnxEmbedder.load(embedder_dir, name="minilm-int8", threads=1)  # type: ignore[assignment]
    try:
        await told.block("I counted them, the lighthouse on the island has ninety-six steps.")
        await told.block("Bisi painted the fence for forty minutes.", 1)
        said = "We went up the lighthouse, I counted the steps, there were"
        found = await told.ask(None, said)
        assert found.answer == ""
    finally:
        await told.embedder.close()
