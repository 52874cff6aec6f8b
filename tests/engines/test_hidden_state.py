"""What the last layer holds after a prompt, on real weights."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio

from companion.config import LlmSection
from companion.engines.llama.model import LlamaCpp
from companion.engines.protocols import ChatMessage, Options, ReadsStates, complete
from companion.errors import ContextTooSmall

pytestmark = pytest.mark.real

SYSTEM = ChatMessage("system", "You are Pip, a small robot who likes animals.")
# One thread: two would wait for each other whenever another process takes a core.
SECTION = LlmSection(context_tokens=512, threads=1, prefill_slice=32)


@pytest_asyncio.fixture
async def model(llm_tiny_path: Path) -> AsyncIterator[LlamaCpp]:
    model = await LlamaCpp.load(llm_tiny_path, SECTION, name="tiny")
    yield model
    await model.close()


def asked(words: str) -> list[ChatMessage]:
    return [SYSTEM, ChatMessage("user", words)]


async def test_the_state_depends_on_the_prompt_alone(model: LlamaCpp) -> None:
    assert isinstance(model, ReadsStates)
    first = await model.hidden_state(asked("we saw a whale"))
    other = await model.hidden_state(asked("my tooth is wobbly"))
    again = await model.hidden_state(asked("we saw a whale"))
    assert first.dtype == np.float32
    assert np.isfinite(first).all()
    assert np.array_equal(first, again)
    assert np.abs(first - other).max() > 0.1


async def test_it_foretells_the_first_token(model: LlamaCpp) -> None:
    """The state is what the vocabulary is read from: where it is alike, so is the answer."""
    states = [await model.hidden_state(asked(each)) for each in ("Say no.", "Say no!", "3 + 4?")]
    alike, unlike = (float(states[0] @ each / np.linalg.norm(each)) for each in states[1:])
    assert alike > unlike


async def test_answers_are_the_same_after_it(model: LlamaCpp) -> None:
    prompt, options = asked("Tell me a story about a whale."), Options(max_tokens=8)
    before, _ = await complete(model, prompt, options)
    await model.hidden_state(prompt)
    after, usage = await complete(model, prompt, options)
    assert after == before
    assert usage.cached_tokens > 0


async def test_what_was_cached_is_not_read_again(model: LlamaCpp) -> None:
    await model.warm(asked("we saw a whale " * 20))
    evaluated = model._context.length
    await model.hidden_state(asked("we saw a whale " * 20))
    assert 0 < model._context.length - evaluated < 16


async def test_who_no_longer_waits_gets_the_engine_back(model: LlamaCpp) -> None:
    reading = asyncio.ensure_future(model.hidden_state(asked("we saw a whale " * 80)))
    await asyncio.sleep(0.02)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert (await complete(model, asked("hi"), Options(max_tokens=1)))[1].generated_tokens == 1


async def test_a_prompt_that_does_not_fit_is_refused(model: LlamaCpp) -> None:
    with pytest.raises(ContextTooSmall):
        await model.hidden_state(asked("whale " * 600))
