"""How far two gradings of the same judgements agree. Pure arithmetic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from companion.evaluation.figures import kappa, mean, share
from companion.evaluation.simulation.journal import Journal


def correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's r; None of fewer than two pairs, or when one side never varies."""
    if len(one) < 2:
        return None
    a, b = mean(one), mean(other)
    together = sum((x - a) * (y - b) for x, y in zip(one, other, strict=True))
    spread = math.sqrt(sum((x - a) ** 2 for x in one) * sum((y - b) ** 2 for y in other))
    return together / spread if spread else None


def compare(first: Journal, second: Journal) -> dict[str, Any]:
    """By dimension: pairs, and how far they agree. Verdicts are categories (share, kappa);
    marks and counts are numbers (share, mean difference, correlation)."""
    pairs: dict[str, list[tuple[float, float]]] = {}
    categories: dict[str, bool] = {}
    for record in first.under(""):
        if record["key"] not in second:
            continue
        values = zip(record["values"], second[record["key"]]["values"], strict=True)
        names = _names(record["dimension"], record["kind"])
        for place, pair in enumerate(values):
            name = names[place % len(names)]
            pairs.setdefault(name, []).append(pair)
            categories[name] = record["kind"] == "verdicts"
    return {name: _figures(pairs[name], categories[name]) for name in sorted(pairs)}


def _names(dimension: str, kind: str) -> tuple[str, ...]:
    return ("hits", "misses") if kind == "counts" else (dimension,)


def _figures(pairs: list[tuple[float, float]], categories: bool) -> dict[str, Any]:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    figures: dict[str, Any] = {"n": len(pairs), "same": _rounded(share(one, other))}
    if categories:
        return {**figures, "kappa": _rounded(kappa(one, other))}
    apart = mean([abs(a - b) for a, b in pairs])
    return {
        **figures,
        "mean_difference": _rounded(apart),
        "correlation": _rounded(correlation(one, other)),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
