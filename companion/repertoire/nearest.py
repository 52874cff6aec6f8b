"""Looks up the entries that are nearest to a message."""

from __future__ import annotations

from companion.engines.protocols import Embedder
from companion.repertoire.certainty import LEAST_COSINE
from companion.repertoire.index import Index, Near
from companion.repertoire.packs import NAME, Entry


async def nearest(index: Index, embedder: Embedder, said: str, age: int | None) -> list[Near]:
    """The nearest entries, the likeliest first. said: in the spelling of `wording`. Raises
    EngineError."""
    (own,) = await embedder.embed_tokens([said])
    found = index.nearest(said, own.vector, age)
    # The second witness costs an embedding each: only of what may be sure.
    close = [near for near in found if near.likeness.cosine >= LEAST_COSINE]
    tokens = await embedder.embed_tokens([near.wording for near in close])
    looked = [
        index.aligned(near, said, own, other) for near, other in zip(close, tokens, strict=True)
    ]
    return [*sorted(looked, key=lambda near: -near.certainty), *found[len(close) :]]


def shortest(entry: Entry) -> str:
    """The reply that costs the fewest tokens as an example."""
    return min((reply for reply in entry.replies if NAME not in reply), key=len)
