"""MaxSim over tokens: full precision on the question's side, signs on the text's."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.engines.protocols import TextVectors
from companion.language.types import Question
from companion.recall import late_interaction
from companion.store.token_bits import signs


def tokens(number: int, *, seed: int, dimension: int = 384) -> NDArray[np.float32]:
    found = np.random.default_rng(seed).normal(size=(number, dimension)).astype(np.float32)
    unit: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit


def test_the_maxima_are_those_of_the_nearest_token_of_each_text() -> None:
    question, first, second = tokens(3, seed=1), tokens(5, seed=2), tokens(2, seed=3)
    found = late_interaction.maxima(
        question, {"first": signs(first), "none": signs(first[:0]), "second": signs(second)}
    )
    assert found.keys() == {"first", "second"}
    for key, text in (("first", first), ("second", second)):
        vectors = np.where(text > 0, 1, -1) / np.sqrt(384)
        np.testing.assert_allclose(found[key], (question @ vectors.T).max(axis=1), atol=1e-5)


def test_a_token_is_nearest_to_itself_and_nothing_is_nearer_than_the_signs_allow() -> None:
    text = tokens(6, seed=4)
    [found] = late_interaction.maxima(text[2:3], {"text": signs(text)}).values()
    assert found[0] == pytest.approx(0.8, abs=0.03)


def test_two_texts_together_have_the_greater_maximum_of_each_token() -> None:
    first, second = (np.array(each, np.float32) for each in ([0.1, 0.9], [0.4, 0.2]))
    together = late_interaction.joined(first, second)
    assert together is not None
    assert together.tolist() == [second[0], first[1]]
    assert late_interaction.joined(None, second) is second
    assert late_interaction.joined(first, None) is first
    assert late_interaction.joined(None, None) is None


def test_rare_content_words_weigh_most() -> None:
    text = "Where does Ola live"
    asked = Question(
        text, ((11, 14), (15, 19)), "both", of_asking=False, asks=True, about_past=False
    )
    spans = np.array([[0, 5], [6, 10], [11, 12], [12, 14], [15, 19]])
    read = TextVectors(np.ones(4, np.float32), np.ones((5, 4), np.float32), spans)
    found = late_interaction.weights(asked, read, lambda words: [0.9, 0.0])
    least = late_interaction.LEAST_WEIGHT
    np.testing.assert_allclose(found, [least, least, 0.9, 0.9, least])


def test_the_score_is_the_weighted_mean() -> None:
    best, weights = (np.array(each, np.float32) for each in ([0.5, 0.1], [3, 1]))
    assert late_interaction.score(best, weights) == pytest.approx(0.4)
    assert late_interaction.score(None, weights) is None
