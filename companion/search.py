"""Find memories by words: for a person who looks, not for the dialog (see `dialog.recall`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.ranking import fuse
from companion.records import Memory
from companion.store import memories

if TYPE_CHECKING:
    from companion.engines.protocols import Embedder
    from companion.store.database import Store


async def search_memories(
    store: Store, words: str, k: int, embedder: Embedder | None
) -> list[Memory]:
    """The `k` active memories nearest to `words`, best first.

    By text alone when there is no embedder; with one, by text and meaning, their ranks fused.
    Finding a memory this way does not count as using it.
    """
    rankings = [await store.read(memories.search, words, k)]
    if embedder is not None:
        vector = (await embedder.embed([words]))[0]
        rankings.append(await store.read(memories.nearest, vector, k, embedder=embedder.name))
    best = fuse([id for id, _ in ranking] for ranking in rankings)
    found = [await store.read(memories.get, id) for id in list(best)[:k]]
    return [memory for memory in found if memory is not None]
