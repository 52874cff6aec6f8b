"""Which messages ask for what the person told. The sentences are the author's own: of strangers'
sets, scripts/fit_memory_questions.py tells."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.acts import memory_questions
from companion.acts.memory_questions import MemoryQuestions
from companion.acts.reader import ActReader
from companion.engines.protocols import Embedder
from tests.fakes import HashEmbedder


@pytest.mark.parametrize(
    "words",
    [
        "what did I say the neighbour's goat is called",
        "which tablets is it that I must not take",
        "It's Mum here. When has she got the eye doctor?",
        "who was it that fell off the pier, me or Jory?",
    ],
)
async def test_what_was_told_is_asked_for(embedder: Embedder, words: str) -> None:
    assert await MemoryQuestions(embedder, "Pip").probability(words) > 0.5


@pytest.mark.parametrize(
    "words",
    [
        "we saw a goat on the pier",
        "why is the sea salty",
        "can you tell me a story about a goat",
        "i took a lot of tablets and i feel sick",
        "somebody hit me",
    ],
)
async def test_all_else_is_no_question_to_memory(embedder: Embedder, words: str) -> None:
    assert await MemoryQuestions(embedder, "Pip").probability(words) < 0.5


async def test_the_reading_of_a_message_says_so(embedder: Embedder) -> None:
    asked = await ActReader(embedder, "Pip").read("what's my goat called again", "")
    told = await ActReader(embedder, "Pip").read("my goat is called Wilbur", "")
    assert asked.memory_question > 0.5 > told.memory_question


async def test_with_another_embedder_nothing_is_known(embedder: Embedder) -> None:
    found = MemoryQuestions(HashEmbedder(), "Pip")
    assert await found.probability("what's my goat called again") == 0.0
    assert await MemoryQuestions(embedder, "Pip").probability(" ") == 0.0


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    known = memory_questions.read()
    known.write(tmp_path / "weights.npz")
    again = memory_questions.read(tmp_path / "weights.npz")
    assert np.allclose(again.weights, known.weights)
    assert (again.bias, again.probe.shape) == (known.bias, known.probe.shape)
