"""How sure it is that an entry answers a message: a logistic regression over a few likenesses.

`scripts/fit_repertoire.py` fits the weights, and says how they were found.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass

WEIGHTS = (
    *(0.882, 8.235, 7.198, 3.94),
    *(1.706, -3.624, -0.59),
    *(-0.96, -1.004, -0.959, 0.579),
    *(-7.055, 3.951, 1.049, -0.377),
)
"""In the order of `Likeness`. The one of `aligned` is negative beside that of `support`, with which
it goes: together they mean that a message is like an entry as a whole, not one wording of it."""

BIAS = -6.612

SURE = 0.86
"""Least certainty of an answer."""

LEAST_COSINE = 0.6
"""Below this nothing is sure."""

NEAR = 0.6
"""Least cosine of an example for the model."""


@dataclass(frozen=True)
class Likeness:
    """How like a message is to an entry."""

    cosine: float
    """To the nearest of its wordings."""

    support: float
    """Mean cosine to its three nearest."""

    lead: float
    """How much nearer it is than the next entry that is not its kin."""

    ahead_of_unlike: float
    """How much nearer the wordings under `says` are than those under `not`, 0.5 at most."""

    letters: float
    """Runs of three letters that message and nearest wording share, 0 to 1."""

    uncovered: float
    """Share of the message's words, the rarer the heavier, that no wording of the entry has:
    details that a reply would ignore."""

    unsaid: float
    """Share of the nearest wording's words that the message lacks."""

    denied: float
    """1: one of message and nearest wording denies what the other says; else 0."""

    asked: float
    """1: one of the two asks, the other does not."""

    turned: float
    """0 to 2: whether but one speaks of its speaker, and of who listens."""

    words: float
    """Logarithm of the number of words in the message."""

    aligned: float = 1.0
    """Mean cosine of each of the message's tokens, the rarer the heavier, to the nearest token of
    the wording."""

    aligned_back: float = 1.0
    """The same of the wording's tokens to the message's."""

    least: float = 1.0
    """The least of the cosines behind `aligned`: a detail that the wording lacks."""

    least_back: float = 1.0

    @property
    def certainty(self) -> float:
        """0 to 1."""
        score = BIAS + sum(w * x for w, x in zip(WEIGHTS, astuple(self), strict=True))
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, score))))
