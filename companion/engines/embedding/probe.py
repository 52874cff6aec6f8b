"""Whether an embedder is the one that fitted weights and stored vectors are valid for.

One sentence is embedded and compared with the vector that it had then.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.engines.protocols import Embedder

PROBE = "a cat sleeps on the warm stone"

_MINILM = Path(__file__).with_name("minilm.npy")
"""The vector of PROBE by all-MiniLM-L6-v2, shape (384,)."""

LEAST_COSINE = 0.97
"""The int8 file of a model differs from its reference by less, another model by far more."""


def is_same(vector: NDArray[np.float32], known: NDArray[np.float32]) -> bool:
    """Both shape (d,), of PROBE: whether they are of one embedder."""
    return vector.shape == known.shape and float(vector @ known) >= LEAST_COSINE


async def is_of(embedder: Embedder, known: NDArray[np.float32]) -> bool:
    """Whether an embedder made the vector `known`, shape (d,), of PROBE. Raises EngineError."""
    return is_same((await embedder.embed([PROBE]))[0], known)


@cache
def _minilm() -> NDArray[np.float32]:
    return np.asarray(np.load(_MINILM), np.float32)


async def is_minilm(embedder: Embedder) -> bool:
    """Whether an embedder is all-MiniLM-L6-v2, for which constants in code were fitted. Raises
    EngineError."""
    return await is_of(embedder, _minilm())
