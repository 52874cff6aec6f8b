"""Whether an embedder is the one that fitted weights and stored vectors are valid for.

One sentence is embedded and compared with the vector that it had then.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.engines.protocols import Embedder

PROBE = "a cat sleeps on the warm stone"

LEAST_COSINE = 0.97
"""The int8 file of a model differs from its reference by less, another model by far more."""


def is_same(vector: NDArray[np.float32], known: NDArray[np.float32]) -> bool:
    """Both shape (d,), of PROBE: whether they are of one embedder."""
    return vector.shape == known.shape and float(vector @ known) >= LEAST_COSINE


async def is_of(embedder: Embedder, known: NDArray[np.float32]) -> bool:
    """Whether an embedder made the vector `known`, shape (d,), of PROBE. Raises EngineError."""
    return is_same((await embedder.embed([PROBE]))[0], known)
