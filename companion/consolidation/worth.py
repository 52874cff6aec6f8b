"""How much an excerpt is worth keeping, as strangers would say: learnt from what they graded.

A ridge regression over the vector of the words, what kind of memory they make and their form, which
`scripts/fit_worth.py` fits to the grades in tests/memories. It only takes away from what the points
of `language.excerpt.worth` let pass, and never what may concern health, fears, or a correction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.acts.classifier import LEAST_COSINE
from companion.language.types import Excerpt

Floats = NDArray[np.float32]

FILE = Path(__file__).with_name("worth.npz")

PROBE = "a cat sleeps on the warm stone"
"""Embedded once and compared with the vector in the file: the weights fit one embedder only."""

VECTOR = 2.0
"""How much the vector of the words weighs beside the rest, before it is fitted."""


@dataclass(frozen=True)
class Worth:
    """f: number of features; d: dimension of the embedder."""

    weights: Floats
    """Shape (f,)."""

    bias: float

    least: float
    """A lower score is not worth it."""

    kinds: tuple[str, ...]
    """The kinds of memory that it was fitted with."""

    probe: Floats
    """Shape (d,): the vector of PROBE."""

    def score(self, excerpt: Excerpt, kind: str, vector: Floats) -> float:
        """About 1 for what a friend would keep, about 0 for what nobody needs or understands.

        kind: of the memory. vector: of the words that were said, shape (d,)."""
        return float(features(excerpt, kind, vector, self.kinds) @ self.weights) + self.bias

    def suits(self, vector: Floats) -> bool:
        """Whether an embedder is the one that the weights were fitted for. vector: its of PROBE."""
        same = vector.shape == self.probe.shape
        return same and float(vector @ self.probe) >= LEAST_COSINE

    def write(self, path: Path = FILE) -> None:
        """Raises OSError."""
        np.savez_compressed(
            path,
            weights=self.weights.astype(np.float32),
            bias=np.float32(self.bias),
            least=np.float32(self.least),
            kinds=np.array(self.kinds),
            probe=self.probe.astype(np.float16),
        )


def read(path: Path = FILE) -> Worth:
    """The weights of a file, by default those that are shipped. Raises OSError, ValueError."""
    with np.load(path, allow_pickle=False) as file:
        return Worth(
            file["weights"].astype(np.float32),
            float(file["bias"]),
            float(file["least"]),
            tuple(str(each) for each in file["kinds"]),
            file["probe"].astype(np.float32),
        )


def must_stay(excerpt: Excerpt) -> bool:
    """Whether words are kept whatever they score: they may concern health, tell of a fear, put
    something right, or are short and plain, which the graded talk hardly ever is."""
    text = f"{excerpt.before} {excerpt.said}"
    health = language.health
    if language.dietary.concerns_health(text) or health.may_tell(health.plain(text)):
        return True
    if language.excerpt.tells_of_fear(excerpt.said) or language.excerpt.is_plain(excerpt.said):
        return True
    return language.correction.read(excerpt.said, excerpt.before) is not None


def features(excerpt: Excerpt, kind: str, vector: Floats, kinds: tuple[str, ...]) -> Floats:
    """Shape (f,). vector: of the words, shape (d,)."""
    said = excerpt.said
    length = max(1, len(said.split()))
    asked = excerpt.before if excerpt.before.endswith("?") else ""
    points = language.excerpt.worth(said, asked)
    own, others = language.excerpt.pronouns(said)
    form = [
        min(points, 9) / 4,
        min(points, 2),
        math.log(length + 1) / 3,
        len(language.sentences.split(said)) / 4,
        bool(excerpt.before),
        bool(asked),
        bool(excerpt.earlier),
        "?" in said,
        "!" in said,
        "..." in said,
        len(language.words.names(f"x {said}")) / 3,
        bool(language.words.numbers(said)),
        language.excerpt.needs_line_before(said),
        5 * own / length,
        5 * others / length,
        *(kind == each for each in kinds),
    ]
    return np.concatenate([VECTOR * vector, np.array(form, np.float32)]).astype(np.float32)
