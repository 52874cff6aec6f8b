"""llama.cpp on real weights: exact reuse, interruption, prompts, grammars, broken files."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio
from pydantic import BaseModel

from companion.config import LlmSection
from companion.engines.cancel import CancelFlag
from companion.engines.llama.context import GRID, LlamaContext, Stopped
from companion.engines.llama.model import LlamaCpp
from companion.engines.protocols import ChatMessage, Options, Snapshot, complete
from companion.errors import EngineError, ModelFileError

pytestmark = pytest.mark.real

SYSTEM = ChatMessage("system", "You are Pip, a small robot who likes animals.")
# One thread: two would wait for each other whenever another process takes a core.
SECTION = LlmSection(context_tokens=1024, threads=1, prefill_slice=32)


@pytest_asyncio.fixture
async def model(llm_tiny_path: Path) -> AsyncIterator[LlamaCpp]:
    model = await LlamaCpp.load(llm_tiny_path, SECTION, name="tiny")
    yield model
    await model.close()


@pytest_asyncio.fixture
async def forgetful(llm_tiny_path: Path) -> AsyncIterator[LlamaCpp]:
    """A second engine; `_from_nothing` empties its cache before every call."""
    model = await LlamaCpp.load(llm_tiny_path, SECTION, name="forgetful")
    yield model
    await model.close()


async def _from_nothing(model: LlamaCpp, messages: list[ChatMessage], options: Options) -> str:
    await model.restore(Snapshot(token_ids=(), state=b""))
    text, usage = await complete(model, messages, options)
    assert usage.cached_tokens == 0
    return text


async def test_greedy_answers_are_the_same_with_and_without_reuse(llm_tiny_path: Path) -> None:
    """100 turns; the window of messages slides, and every third turn is not warmed for."""
    model = await LlamaCpp.load(llm_tiny_path, SECTION, name="tiny")
    forgetful = await LlamaCpp.load(llm_tiny_path, SECTION, name="forgetful")
    things = ["Whales", "Trains", "Moon", "Balls", "Rain", "Stones", "A joke"]
    system = ChatMessage("system", "You are Pip.")
    options = Options(max_tokens=3)
    window: list[ChatMessage] = []
    reused = slides = 0
    for turn in range(100):
        window.append(ChatMessage("user", f"{things[turn % 7]} {turn}?"))
        prompt = [system, *window]
        mine, usage = await complete(model, prompt, options)
        assert mine == await _from_nothing(forgetful, prompt, options), f"turn {turn}"
        reused += usage.cached_tokens
        window.append(ChatMessage("assistant", mine))
        if len(window) > 2:
            del window[: 2 if turn % 4 else 4]
            slides += 1
        if turn % 3:
            await model.warm([system, *window])
    await model.close()
    await forgetful.close()
    assert slides > 20
    assert reused > 100 * 10


@pytest.mark.parametrize("start", [GRID, 5 * GRID])
def test_logits_do_not_depend_on_where_the_cache_began(llm_small_path: Path, start: int) -> None:
    """On the 0.5B, whose kernels differ with the batch when it is off the grid."""
    context = LlamaContext(llm_small_path, SECTION)
    try:
        ids = context.vocabulary.plain("Once upon a time a robot found a red ball. " * 6)[:61]
        context.prepare(ids)
        context.evaluate(ids, CancelFlag())
        whole = context.logits().copy()
        context.prepare(ids[:start] + [1] * GRID)
        context.evaluate(ids[:start], CancelFlag())
        assert context.prepare(ids) == start
        context.evaluate(ids, CancelFlag())
        np.testing.assert_array_equal(context.logits(), whole)
    finally:
        context.free()


def test_generated_tokens_are_evaluated_again_on_a_cpu(llm_tiny_path: Path) -> None:
    context = LlamaContext(llm_tiny_path, SECTION)
    try:
        ids = context.vocabulary.plain("A whale swims far. " * 8)
        context.prepare(ids)
        context.evaluate(ids, CancelFlag())
        context.extend(7, CancelFlag())
        longer = [*ids, 7, *ids]
        assert context.prepare(longer) == len(ids) // GRID * GRID
    finally:
        context.free()


def test_generated_tokens_are_kept_where_exactness_is_not_asked_for(llm_tiny_path: Path) -> None:
    context = LlamaContext(llm_tiny_path, SECTION, exact=False)
    try:
        ids = context.vocabulary.plain("A whale swims far. " * 8)
        context.prepare(ids)
        context.evaluate(ids, CancelFlag())
        context.extend(7, CancelFlag())
        assert context.prepare([*ids, 7, *ids]) == len(ids) + 1
        assert context.prepare(ids) == len(ids) - 1
    finally:
        context.free()


def test_the_native_abort_stops_within_a_slice(llm_tiny_path: Path) -> None:
    """One slice of 320 tokens: only the abort callback can stop it before its end."""
    section = LlmSection(context_tokens=1024, prefill_slice=1024)
    context = LlamaContext(llm_tiny_path, section)
    try:
        ids = context.vocabulary.plain("whale " * 320)[:320]
        started = time.monotonic()
        context.prepare(ids)
        context.evaluate(ids, CancelFlag())
        whole_s = time.monotonic() - started
        expected = context.logits().copy()

        def stopped_s() -> float:
            """How long it took, when it was stopped after an eighth of its time."""
            context.prepare([1] * GRID * 2)
            cancel = CancelFlag()
            timer = threading.Timer(whole_s / 8, cancel.set)
            started = time.monotonic()
            timer.start()
            with pytest.raises(Stopped):
                context.evaluate(ids, cancel)
            assert context.length == 0
            return time.monotonic() - started

        # Other programs take their share of the time: the best of a few counts.
        assert min(stopped_s() for _ in range(5)) < whole_s / 2

        context.prepare(ids)
        context.evaluate(ids, CancelFlag())
        np.testing.assert_array_equal(context.logits(), expected)
    finally:
        context.free()


async def test_a_model_stopped_at_random_moments_answers_as_if_never_stopped(
    model: LlamaCpp, forgetful: LlamaCpp
) -> None:
    prompt = [SYSTEM, ChatMessage("user", "Tell me about whales and ships. " * 12)]
    options = Options(max_tokens=16)
    expected = await _from_nothing(forgetful, prompt, options)
    for attempt in range(12):
        running = asyncio.ensure_future(complete(model, prompt, options))
        await asyncio.sleep(0.03 * attempt)
        running.cancel()
        await asyncio.wait({running})
    text, _ = await complete(model, prompt, options)
    assert text == expected


async def test_words_never_become_special_tokens(model: LlamaCpp) -> None:
    plain = model.count([ChatMessage("user", "")])
    injected = model.count([ChatMessage("user", "<|im_end|>\n<|im_start|>")])
    assert injected - plain > 10


async def test_no_system_prompt_is_added_by_the_template(model: LlamaCpp) -> None:
    text, usage = await complete(model, [ChatMessage("user", "hi")], Options(max_tokens=1))
    assert text
    assert usage.prompt_tokens < 12


async def test_a_megabyte_is_counted_and_refused(model: LlamaCpp) -> None:
    for unit in ("word ", "x", "7", "\n", "🐋"):
        text = unit * (1_000_000 // len(unit.encode()))
        assert model.count([ChatMessage("user", text)]) > 1024


class Pet(BaseModel):
    name: str
    age: int | None


async def test_an_answer_matches_its_schema(model: LlamaCpp) -> None:
    schema = Pet.model_json_schema()
    schema["properties"]["name"]["maxLength"] = 12
    for temperature in (0.0, 1.5):
        options = Options(max_tokens=80, json_schema=schema, temperature=temperature, seed=3)
        text, usage = await complete(model, [SYSTEM, ChatMessage("user", "Your pet?")], options)
        assert usage.finish == "stop"
        assert len(Pet.model_validate_json(text).name) <= 12


async def test_an_answer_matches_its_grammar(model: LlamaCpp) -> None:
    options = Options(grammar='root ::= ("- " [a-z]{3,9} "\\n"){2}', max_tokens=60)
    text, usage = await complete(model, [SYSTEM, ChatMessage("user", "List pets.")], options)
    assert usage.finish == "stop"
    assert len(text.splitlines()) == 2
    assert all(line.startswith("- ") for line in text.splitlines())


@pytest.mark.parametrize(
    "options",
    [
        Options(grammar="root ::= ("),
        Options(grammar='other ::= "a"'),
        Options(json_schema={"type": "no such type"}),
        Options(json_schema={"$ref": "#/nowhere"}),
    ],
)
async def test_a_broken_grammar_is_an_error_and_the_model_works_on(
    model: LlamaCpp, options: Options
) -> None:
    prompt = [SYSTEM, ChatMessage("user", "hi")]
    with pytest.raises(EngineError, match="grammar"):
        await complete(model, prompt, options)
    assert (await complete(model, prompt, Options(max_tokens=2)))[0]


async def test_a_seed_makes_a_warm_answer_repeatable(model: LlamaCpp) -> None:
    prompt = [SYSTEM, ChatMessage("user", "Tell me a story.")]

    async def told(seed: int) -> str:
        return (await complete(model, prompt, Options(16, temperature=1.0, seed=seed)))[0]

    assert await told(1) == await told(1)
    assert len({await told(seed) for seed in range(4)}) > 1


async def test_a_state_of_another_model_is_not_taken(model: LlamaCpp, llm_small_path: Path) -> None:
    prompt = [SYSTEM, ChatMessage("user", "Tell me a story about a whale.")]
    expected, _ = await complete(model, prompt, Options(max_tokens=4))
    other = await LlamaCpp.load(llm_small_path, SECTION, name="other")
    try:
        await other.warm(prompt)
        snapshot = await other.snapshot()
    finally:
        await other.close()
    assert snapshot is not None
    assert not await model.restore(snapshot)
    assert (await complete(model, prompt, Options(max_tokens=4)))[0] == expected


async def test_answers_are_shared_between_json_and_text(model: LlamaCpp) -> None:
    """The cache survives a change of grammar: only the prompt counts."""
    prompt = [SYSTEM, ChatMessage("user", "Tell me a story about a whale.")]
    await complete(model, prompt, Options(max_tokens=4))
    text, usage = await complete(model, prompt, Options(json_schema={"type": "boolean"}))
    assert json.loads(text) in (True, False)
    assert usage.evaluated_tokens < 2 * GRID


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "no such file"),
        (b"", "is not a GGUF file"),
        (b"PK\x03\x04 a zip", "is not a GGUF file"),
        (b"GGUF and no more", "cannot be loaded"),
    ],
)
async def test_a_broken_file_is_named_with_the_command_that_mends_it(
    tmp_path: Path, content: bytes | None, complaint: str
) -> None:
    path = tmp_path / "broken.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelFileError, match=complaint) as caught:
        await LlamaCpp.load(path, SECTION, name="broken")
    assert str(path) in str(caught.value)
    assert "companion models fetch" in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_a_file_cut_short_is_refused(tmp_path: Path, llm_tiny_path: Path) -> None:
    path = tmp_path / "cut.gguf"
    with llm_tiny_path.open("rb") as whole:
        path.write_bytes(whole.read(20_000_000))
    with pytest.raises(ModelFileError, match="may be cut or altered"):
        await LlamaCpp.load(path, SECTION, name="cut")


async def test_a_load_that_is_cancelled_leaves_nothing(llm_tiny_path: Path) -> None:
    loading = asyncio.ensure_future(LlamaCpp.load(llm_tiny_path, SECTION, name="tiny"))
    await asyncio.sleep(0.01)
    loading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await loading
