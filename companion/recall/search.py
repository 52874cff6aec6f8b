"""The searches of the store: by words and by meaning, over turns and over memories."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import apsw

from companion.engines.protocols import Embedder
from companion.recall.protocol import TurnKey
from companion.recall.rank_fusion import fuse
from companion.records import Memory
from companion.store import memories, turn_index
from companion.store.database import Store
from companion.store.vectors import Vector

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class Worded:
    """Hits of the search by words, best first, each score as a share of the best one. A hit may
    have been erased by the time it is read."""

    turns: dict[TurnKey, float]
    memories: dict[int, float]


def search_words(c: apsw.Connection, words: str, k: int) -> Worded:
    """The k best hits of each ranking by words (BM25)."""
    turns = turn_index.search_turns(c, words, k)
    return Worded(
        _shares(((session, number), score) for session, number, score in turns),
        _shares(memories.search(c, words, k)),
    )


@dataclass(frozen=True)
class Near:
    """Hits of the search by meaning, nearest first, each with its cosine."""

    turns: dict[TurnKey, float]
    """By the embedding of the whole turn."""

    queries: dict[TurnKey, float]
    """By the embedding of the person's words alone."""

    memories: dict[int, float]

    def of_turn(self, key: TurnKey) -> float:
        """The greater cosine of the two; 0 of a turn that was not found."""
        return max(self.turns.get(key, 0.0), self.queries.get(key, 0.0))

    @property
    def nearest(self) -> float:
        """The greatest cosine of all."""
        return max(
            (*self.turns.values(), *self.queries.values(), *self.memories.values()), default=0.0
        )


def search_meaning(c: apsw.Connection, vector: Vector, k: int, embedder: str) -> Near:
    """The k nearest hits of each ranking. embedder: the name of the one that made `vector`."""

    def turns(of: turn_index.Side) -> dict[TurnKey, float]:
        found = turn_index.nearest_turns(c, vector, k, embedder=embedder, of=of)
        return {(session, number): cosine for session, number, cosine in found}

    return Near(
        turns("turn"), turns("query"), dict(memories.nearest(c, vector, k, embedder=embedder))
    )


async def search_memories(
    store: Store, words: str, k: int, embedder: Embedder | None
) -> list[Memory]:
    """The `k` active memories nearest to `words`, best first, for a person who looks something up.

    Without an embedder it searches by words alone; with one by words and by meaning, with fused
    ranks. Finding a memory this way does not count as using it.
    """
    rankings = [await store.read(memories.search, words, k)]
    if embedder is not None:
        vector = (await embedder.embed([words]))[0]
        rankings.append(await store.read(memories.nearest, vector, k, embedder=embedder.name))
    best = fuse([id for id, _ in ranking] for ranking in rankings)
    found = [await store.read(memories.get, id) for id in list(best)[:k]]
    return [memory for memory in found if memory is not None]


def _shares(ranking: Iterable[tuple[K, float]]) -> dict[K, float]:
    """Each score as a share of the best one. ranking: best first."""
    scores = dict(ranking)
    best = max(scores.values(), default=0.0)
    return {key: score / best if best > 0 else 0.0 for key, score in scores.items()}
