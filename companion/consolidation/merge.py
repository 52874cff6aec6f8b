"""Merges drafts of a session that say the same (paper B.5), without a model.

Excerpts that nobody would keep (`worth`) go before that.
"""

from __future__ import annotations

from dataclasses import dataclass

import apsw
import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.consolidation import worth
from companion.consolidation.report import Effects
from companion.consolidation.sort import LearntKinds
from companion.consolidation.worth import Worth
from companion.engines.protocols import Embedder
from companion.store import intermediate, pending
from companion.store.database import Store
from companion.store.intermediate import Draft
from companion.store.pending import Unit

Pairs = list[tuple[int, int]]
"""A draft, and the earlier one that says the same."""


@dataclass(frozen=True)
class Merged:
    """What becomes of a session's drafts."""

    same: Pairs
    dropped: tuple[int, ...]
    """Drafts that are not worth it."""


class Merging:
    """The step `merge`: one session."""

    name = "merge"

    def __init__(self, embedder: Embedder, store: Store, kinds: LearntKinds) -> None:
        self._embedder = embedder
        self._store = store
        self._kinds = kinds
        self._worth: Worth | None = None
        self._opened = False

    def pending(self, c: apsw.Connection) -> list[Unit]:
        return pending.unmerged(c)

    async def infer(self, unit: Unit) -> Merged:
        drafts = await self._store.read(intermediate.drafts_of, unit[0])
        vectors = await self._embedder.embed([draft.text for draft in drafts])
        keeps = [not await self._worthless(*each) for each in zip(drafts, vectors, strict=True)]
        kept = [draft for draft, keep in zip(drafts, keeps, strict=True) if keep]
        dropped = tuple(draft.id for draft, keep in zip(drafts, keeps, strict=True) if not keep)
        return Merged(duplicates(kept, vectors[np.array(keeps, bool)]), dropped)

    def commit(self, c: apsw.Connection, unit: Unit, result: Merged) -> Effects:
        for id in result.dropped:
            intermediate.settle(c, id)
        intermediate.put_merged(c, unit[0], result.same)
        reasons = ("worth",) * len(result.dropped)
        return Effects({"duplicates": len(result.same)}, dropped=reasons)

    async def _worthless(self, draft: Draft, vector: NDArray[np.float32]) -> bool:
        """Whether a draft is an excerpt that nobody would keep. vector: of its text. Where the
        embedder is another than the weights were fitted for, none is."""
        excerpt = language.excerpt.parts(draft.text)
        if excerpt is None or draft.kind == "profile" or worth.must_stay(excerpt):
            return False
        if not self._opened:
            known, probe = worth.read(), (await self._embedder.embed([worth.PROBE]))[0]
            self._opened = True
            self._worth = known if known.suits(probe) else None
        if self._worth is None:
            return False
        kind = (await self._kinds.get()).kind(vector)
        said = (await self._embedder.embed([excerpt.said]))[0]
        return self._worth.score(excerpt, kind, said) < self._worth.least


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
