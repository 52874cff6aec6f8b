"""Merges drafts of a session that say the same (paper B.5), without a model."""

from __future__ import annotations

import apsw
import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.consolidation.report import Effects
from companion.engines.protocols import Embedder
from companion.store import intermediate, pending
from companion.store.database import Store
from companion.store.intermediate import Draft
from companion.store.pending import Unit

Pairs = list[tuple[int, int]]
"""A draft, and the earlier one that says the same."""


class Merging:
    """The step `merge`: one session."""

    name = "merge"

    def __init__(self, embedder: Embedder, store: Store) -> None:
        self._embedder = embedder
        self._store = store

    def pending(self, c: apsw.Connection) -> list[Unit]:
        return pending.unmerged(c)

    async def infer(self, unit: Unit) -> Pairs:
        drafts = await self._store.read(intermediate.drafts_of, unit[0])
        vectors = await self._embedder.embed([draft.text for draft in drafts])
        return duplicates(drafts, vectors)

    def commit(self, c: apsw.Connection, unit: Unit, result: Pairs) -> Effects:
        intermediate.put_merged(c, unit[0], result)
        return Effects({"duplicates": len(result)})


def duplicates(drafts: list[Draft], vectors: NDArray[np.float32]) -> Pairs:
    """Each draft that repeats an earlier one, with that one. vectors: shape (len(drafts),
    dimension).

    Two drafts with different days are both kept: they are two events.
    """
    cosines = vectors @ vectors.T
    kept: list[int] = []
    pairs: Pairs = []
    for i, draft in enumerate(drafts):
        for j in kept:
            if drafts[j].event_time != draft.event_time:
                continue
            if language.similarity.same(drafts[j].text, draft.text, float(cosines[i, j])):
                pairs.append((draft.id, drafts[j].id))
                break
        else:
            kept.append(i)
    return pairs
