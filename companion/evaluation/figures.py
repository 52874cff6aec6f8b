"""Statistics of a measurement: percentiles and confidence intervals. Pure arithmetic."""

from __future__ import annotations

import random
from collections.abc import Sequence

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
