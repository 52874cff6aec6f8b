"""Searches memories for a person who looks something up; the dialog uses `recall.hybrid`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.recall.rank_fusion import fuse
from companion.records import Memory
from companion.store import memories

if TYPE_CHECKING:
    from companion.engines.protocols import Embedder
    from companion.store.database import Store


async def search_memories(
    store: Store, words: str, k: int, embedder: Embedder | None
) -> list[Memory]:
    """The `k` active memories nearest to `words`, best first.

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
