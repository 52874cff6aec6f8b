"""Late interaction: a question is compared with a text token by token (MaxSim, as in ColBERT).

For each token of the question the nearest token of the text is looked up; the score is the mean of
these cosines, weighted by how much each token says. A vector of a whole text blurs what one word of
it answers; this does not. It is for reranking: it costs a product of matrices for each candidate.

The question's tokens are at full precision, those of a text one bit a dimension (`token_bits`).
Khattab and Zaharia, "ColBERT" (SIGIR 2020); measured here: docs/results.md.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.engines.protocols import TextVectors
from companion.language.types import Question
from companion.store.token_bits import Bits
from companion.store.vectors import Vector

K = TypeVar("K", bound=Hashable)
Maxima = NDArray[np.float32]
"""Shape (tokens of the question,): for each, the cosine of the nearest token."""

LEAST_WEIGHT = 0.1
"""Of a token that says next to nothing ("is", "my"), relative to that of the rarest word."""


def weights(
    asked: Question, read: TextVectors, rarity: Callable[[list[str]], list[float]]
) -> Vector:
    """How much each token of the question says, shape (tokens,): of a content word, how rare it is
    in what was said. rarity: from 0 to 1 for each word."""
    found = np.full(len(read.spans), LEAST_WEIGHT, np.float32)
    words = [asked.text[start:end] for start, end in asked.content]
    for (start, end), rare in zip(asked.content, rarity(words), strict=True):
        within = (read.spans[:, 0] >= start) & (read.spans[:, 1] <= end)
        found[within] = max(rare, LEAST_WEIGHT)
    return found


def maxima(question: NDArray[np.float32], texts: Mapping[K, Bits]) -> dict[K, Maxima]:
    """For each text, the nearest token to each of the question's. Empty texts are left out.

    question: shape (tokens, dimension), rows of L2 norm 1.
    """
    held = {key: bits for key, bits in texts.items() if len(bits)}
    if not held or not len(question):
        return {}
    dimension = question.shape[1]
    tokens = np.unpackbits(np.concatenate(list(held.values())), axis=1, count=dimension)
    # The cosine with a vector of signs, each 1 or -1: from the sum over its ones alone.
    scale = np.float32(1 / np.sqrt(dimension))
    ones = tokens.astype(np.float32) @ question.T
    cosines = (2 * ones - question.sum(axis=1)) * scale
    starts = np.cumsum([0, *(len(bits) for bits in held.values())])[:-1]
    best = np.maximum.reduceat(cosines, starts, axis=0)
    return dict(zip(held, best, strict=True))


def score(best: Maxima | None, weight: Vector) -> float | None:
    """The weighted mean of the maxima; None where there are none."""
    if best is None or not weight.size:
        return None
    return float(best @ weight / weight.sum())


def joined(first: Maxima | None, second: Maxima | None) -> Maxima | None:
    """The maxima over two texts together."""
    if first is None or second is None:
        return second if first is None else first
    return np.maximum(first, second)
