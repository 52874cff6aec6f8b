"""Tells by its meaning what kind of memory each new one is.

The examples of `language.kinds` are embedded, and a kernel ridge regression from their vectors to
their kinds is solved in closed form (350 examples: a second at night, most of it the embedding). So
the sentences are all the data there is: whoever adds one teaches the kind, and another embedder
needs no weights of its own.
"""

from __future__ import annotations

import apsw
import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.consolidation.lifespan import FOR_GOOD, LASTING, LIFESPAN, PASSING
from companion.consolidation.report import Effects
from companion.engines.protocols import Embedder
from companion.records import Memory
from companion.store import fading, memories
from companion.store.database import Store
from companion.store.pending import Unit

Floats = NDArray[np.float32]

WIDTH = 0.5
RIDGE = 0.3
"""Of the kernel exp((cosine - 1) / WIDTH), and of its regression. On facts of six strange lives it
tells lasting ones from others with an area under the curve of 0.90 (widths 0.3 to 0.8 and ridges
0.1 to 1: 0.88 to 0.90; a linear one: 0.87; the nearest examples alone are right less often)."""

NOTED = "health"
"""The kind of what the dialog itself has noted (`dialog.health`) and holds against all that is said
later. What only resembles such things is of kind `profile`: it lasts as long, and forbids nothing.
"""

UNSURE = "fact"
"""The kind of a memory that is as much like lasting ones as like others."""

LEAST_FOR_GOOD = 0.25
LEAST_PASSING = 0.35
"""Least scores (about 1: it is an example itself) of what would never fade, and of what would be
gone in days, where a wrong guess costs most."""

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
        if memory.kind == NOTED:
            return NOTED
        if is_for_good(memory):
            return "profile"
        if self._kinds is None:
            self._kinds = await learn(self._embedder)
        kind = self._kinds.kind((await self._embedder.embed([memory.text]))[0])
        return "profile" if kind == NOTED else kind

    def commit(self, c: apsw.Connection, unit: Unit, result: str | None) -> Effects:
        if result is not None:
            fading.set_kind(c, unit[1], result)
        return Effects()


def is_for_good(memory: Memory) -> bool:
    """Whether the draft was for good already, or it concerns health by its own words or by those
    it rests on: health never fades, so either is enough."""
    if memory.kind == "profile":
        return True
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
    """Kernel ridge regression over sentence vectors, one output a kind."""

    def __init__(self, vectors: Floats, kinds: list[str]) -> None:
        """vectors: (n, d), of n examples; kinds: of each of them."""
        self._examples = vectors
        self._kinds = sorted(set(kinds))
        wanted = np.array([[kind == each for each in self._kinds] for kind in kinds], np.float64)
        self._mean = wanted.mean(axis=0)
        # Half of the way to kinds of equal weight: how many examples somebody wrote of a kind says
        # little of how often it is told.
        held = np.sqrt(self._mean * len(self._kinds))[wanted.argmax(axis=1)]
        penalty = RIDGE * np.diag(held)
        self._weights = np.linalg.solve(_kernel(vectors, vectors) + penalty, wanted - self._mean)
        self._lasting = np.array([kind in LASTING for kind in self._kinds])

    def kind(self, vector: Floats) -> str:
        """The likeliest kind of a sentence. `UNSURE` when all kinds together say otherwise than it
        does whether the sentence is of lasting worth, or when it is not much like what would never
        fade or be gone in days. vector: (d,)."""
        scores = _kernel(vector[None], self._examples)[0] @ self._weights + self._mean
        best = int(scores.argmax())
        kind = self._kinds[best]
        lasting = float(scores[self._lasting].sum()) > 0.5
        least = {FOR_GOOD: LEAST_FOR_GOOD, PASSING: LEAST_PASSING}.get(LIFESPAN[kind], 0.0)
        unsure = scores[best] < least or lasting != self._lasting[best]
        return UNSURE if unsure else kind


def _kernel(vectors: Floats, others: Floats) -> NDArray[np.float64]:
    """Shape (n, m): how near each of n unit vectors is to each of m."""
    cosines: NDArray[np.float64] = vectors.astype(np.float64) @ others.T
    return np.asarray(np.exp((cosines - 1) / WIDTH))
