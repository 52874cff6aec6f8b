"""Whom a message means by "he" or "she", of those who were mentioned before.

A logistic regression over the signs of `language.antecedents` and their pairs, fitted by
`scripts/fit_whom.py` to weeks of strangers in which readers said who is meant. Where it is not
sure, nobody is named: a wrong name is worse than none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.language.types import Line, Relation

FILE = Path(__file__).with_name("whom.npz")

NAMED = 0.7
"""Probability from which somebody is named."""

SHOWN = 0.4
"""The same from which the sentence that mentions them is shown."""

Floats = NDArray[np.float64]


class Meant(NamedTuple):
    """Whom a message may mean."""

    called: str
    """The name, "my uncle", "the dentist"."""

    key: str
    """See `language.antecedents.Mention`."""

    probability: float


class Weights(NamedTuple):
    """Of the signs, in order, and of each pair of them."""

    weights: Floats
    """Shape (n + n (n - 1) / 2,)."""

    bias: float

    def probabilities(self, rows: Floats) -> Floats:
        """Shape (m,). rows: the signs of m candidates, (m, n)."""
        odds = with_pairs(rows) @ self.weights + self.bias
        return np.asarray(1 / (1 + np.exp(-odds)))

    def write(self, path: Path = FILE) -> None:
        """Raises OSError."""
        np.savez_compressed(path, weights=self.weights.astype(np.float32), bias=self.bias)


@lru_cache(maxsize=1)
def shipped() -> Weights:
    with np.load(FILE) as file:
        return Weights(file["weights"].astype(np.float64), float(file["bias"]))


def with_pairs(rows: Floats) -> Floats:
    """Shape (m, n + n (n - 1) / 2): each sign, and the product of each two."""
    pairs = [rows[:, one] * rows[:, other] for one, other in combinations(range(rows.shape[1]), 2)]
    return np.column_stack([rows, *pairs])


def meant(
    said: str, lines: Sequence[Line], known: Collection[Relation], but: Collection[str]
) -> Meant | None:
    """The likeliest whom the first "he" or "she" of a message means; None where it has none, where
    somebody is named before it in the message, or where nobody was mentioned. lines: what was said
    before in the talk, oldest first. known: who is whose what. but: names of those who are only
    addressed, such as the companion."""
    antecedents = language.antecedents
    if not language.anaphora.open_pronoun(said):
        return None
    among = antecedents.candidates(lines, known, but)
    if not among:
        return None
    rows = [list(antecedents.signs(one, among, lines, said, known).values()) for one in among]
    likely = shipped().probabilities(np.array(rows))
    best = int(np.argmax(likely))
    mention = among[best].best
    return Meant(mention.called, mention.key, float(likely[best]))
