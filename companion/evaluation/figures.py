"""Statistics of a measurement: percentiles, confidence intervals, agreement. Pure arithmetic."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Sequence

RESAMPLES = 2_000


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` (0 to 1) of the values do not exceed (nearest
    rank); 0 of nothing."""
    if not values:
        return 0.0
    ordered = sorted(values)
    rank = -int(-share * len(ordered) // 1)  # rounded up
    return ordered[max(rank, 1) - 1]


def bootstrap(values: Sequence[float], *, seed: int) -> tuple[float, float]:
    """The 95 % interval of the mean: percentile bootstrap over the values."""
    if not values:
        return 0.0, 0.0
    chance = random.Random(seed)
    means = [mean(chance.choices(values, k=len(values))) for _ in range(RESAMPLES)]
    return percentile(means, 0.025), percentile(means, 0.975)


def share(one: Sequence[Hashable], other: Sequence[Hashable]) -> float | None:
    """The share of pairs that are the same; None of nothing."""
    if not one:
        return None
    return mean([float(a == b) for a, b in zip(one, other, strict=True)])


def kappa(one: Sequence[Hashable], other: Sequence[Hashable]) -> float | None:
    """Cohen's kappa: agreement beyond chance, 1 at most; None when chance alone would agree
    always (both gave everything the same mark), where it says nothing."""
    observed = share(one, other)
    if observed is None:
        return None
    n = len(one)
    first, second = Counter(one), Counter(other)
    chance = sum(first[mark] * second[mark] for mark in first) / (n * n)
    if chance == 1.0:
        return None
    return (observed - chance) / (1 - chance)
