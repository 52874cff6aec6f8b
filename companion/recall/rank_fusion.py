"""Reciprocal rank fusion: one order from several rankings whose scores cannot be compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

OFFSET = 60
"""The constant of Cormack, Clarke and Buettcher (SIGIR 2009)."""


def fuse(rankings: Iterable[Iterable[K]]) -> dict[K, float]:
    """Score of everything ranked: the sum of 1 / (OFFSET + rank), ranks from 1. Best first."""
    scores: dict[K, float] = defaultdict(float)
    for ranking in rankings:
        for rank, key in enumerate(ranking, start=1):
            scores[key] += 1 / (OFFSET + rank)
    return dict(sorted(scores.items(), key=lambda item: -item[1]))
