"""The regression for what touches something that was told of (`companion/safety/touching.py`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from health_sets import Remark
from numpy.typing import NDArray

from companion import language
from companion.engines.protocols import Embedder
from companion.safety import touching
from companion.safety.health import Floats

TALK = 0.15
"""How much ordinary talk counts beside a remark."""

PENALTY = 1e-3
STEPS = 12


async def features_of(found: Sequence[Remark], meets: Floats, embedder: Embedder) -> Floats:
    """Shape (n, f). meets: see `touching.features`."""
    told, said = [each.told for each in found], [each.text for each in found]
    about = [touching.subject(each) for each in told]
    plain = [language.health.plain(each) for each in said]
    vectors = await embedder.embed(about), await embedder.embed(plain)
    return touching.features(told, said, meets.tolist(), vectors)


def fit(found: Sequence[Remark], rows: Floats) -> tuple[Floats, Floats]:
    """Logistic regression by Newton's method, as a softmax of two: weights (f, 2), bias (2,)."""
    wanted = np.array([each.touches for each in found], np.float64)
    counts = np.array([TALK if each.talk else 1.0 for each in found])
    counts /= counts.sum()
    x = np.hstack([rows, np.ones((len(rows), 1))]).astype(np.float64)
    weights: NDArray[np.float64] = np.zeros(x.shape[1])
    penalty = np.full(x.shape[1], PENALTY)
    penalty[-1] = 1e-8
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (counts * (likely - wanted)) + penalty * weights
        curve = (x * (counts * likely * (1 - likely))[:, None]).T @ x + np.diag(penalty)
        weights = weights - np.linalg.solve(curve, slope)
    both = np.stack([np.zeros_like(weights), weights], axis=1).astype(np.float32)
    return both[:-1], both[-1]


def odds(rows: Floats, fitted: tuple[Floats, Floats]) -> Floats:
    """Shape (n,): log odds of touching."""
    weights, bias = fitted
    scores = rows @ weights + bias
    return np.asarray(scores[:, 1] - scores[:, 0])
