"""Tells by its meaning what kind of memory each new one is.

The examples of `language.kinds` are embedded, and a ridge regression from their vectors to their
kinds is solved in closed form (331 examples of 384 numbers: a second at night, most of it the
embedding). So the sentences are all the data there is: whoever adds one teaches the kind, and
another embedder needs no weights of its own.
"""

from __future__ import annotations

import apsw
import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.consolidation.lifespan import LASTING
from companion.consolidation.report import Effects
from companion.engines.protocols import Embedder
from companion.records import Memory
from companion.store import fading, memories
from companion.store.database import Store
from companion.store.pending import Unit

Floats = NDArray[np.float32]

RIDGE = 1.0
"""Of 0.3, 0.5, 1 and 2 the one that told lasting facts best from others on six strange lives (area
under the curve 0.85, 0.86, 0.87, 0.87)."""

UNSURE = "fact"
"""The kind of a memory that is as much like lasting ones as like others."""

_AT_ONCE = 16
"""Examples embedded in one call, so that somebody who speaks waits for no more than these."""

_ROWS = 64
"""How many pending rows are looked up at once."""


class Sorting:
    """The step `sort`: one memory."""

    name = "sort"

    def __init__(self, embedder: Embedder, store: Store) -> None:
        self._embedder = embedder
        self._store = store
        self._kinds: KindClassifier | None = None

    def pending(self, c: apsw.Connection) -> list[Unit]:
        return [("", id) for id in fading.unsorted(c, _ROWS)]

    async def infer(self, unit: Unit) -> str | None:
        memory = await self._store.read(memories.get, unit[1])
        if memory is None:
            return None
        if memory.kind == "profile" or _concerns_health(memory):
            return "profile"
        if self._kinds is None:
            self._kinds = await learn(self._embedder)
        return self._kinds.kind((await self._embedder.embed([memory.text]))[0])

    def commit(self, c: apsw.Connection, unit: Unit, result: str | None) -> Effects:
        if result is not None:
            fading.set_kind(c, unit[1], result)
        return Effects()


def _concerns_health(memory: Memory) -> bool:
    """By its own words or by those it rests on: health never fades, so either is enough."""
    texts = (memory.text, *(source.quote for source in memory.sources))
    return any(map(language.dietary.concerns_health, texts))


async def learn(embedder: Embedder) -> KindClassifier:
    """A classifier of the examples for this embedder. Raises EngineError."""
    told = [(kind, text) for kind, texts in language.kinds.examples().items() for text in texts]
    texts = [text for _, text in told]
    vectors = [
        await embedder.embed(texts[at : at + _AT_ONCE]) for at in range(0, len(texts), _AT_ONCE)
    ]
    return KindClassifier(np.concatenate(vectors), [kind for kind, _ in told])


class KindClassifier:
    """A linear classifier over sentence vectors."""

    def __init__(self, vectors: Floats, kinds: list[str]) -> None:
        """vectors: (n, d), of n examples; kinds: of each of them."""
        self._kinds = sorted(set(kinds))
        wanted = np.array([[kind == each for each in self._kinds] for kind in kinds], np.float64)
        inputs = _with_one(vectors)
        penalty = RIDGE * np.eye(inputs.shape[1])
        penalty[-1, -1] = 1e-6  # The constant is not held back, only kept solvable.
        self._weights = np.linalg.solve(inputs.T @ inputs + penalty, inputs.T @ wanted)
        self._lasting = np.array([kind in LASTING for kind in self._kinds])

    def kind(self, vector: Floats) -> str:
        """The likeliest kind of a sentence, unless all kinds together say otherwise than it does
        whether the sentence is of lasting worth: then `UNSURE`. vector: (d,)."""
        scores = _with_one(vector[None])[0] @ self._weights
        best = int(scores.argmax())
        lasting = float(scores[self._lasting].sum()) > 0.5
        return self._kinds[best] if lasting == self._lasting[best] else UNSURE


def _with_one(vectors: Floats) -> NDArray[np.float64]:
    return np.hstack([vectors.astype(np.float64), np.ones((len(vectors), 1))])
