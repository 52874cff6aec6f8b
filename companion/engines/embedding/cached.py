"""The vectors of what was embedded lately: a turn's words are judged, looked up and indexed, and in
the voice loop judged and looked up before they are certain, and each of these asks for them.

Vectors are found by a digest of their text: no words are held.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.engines.protocols import Embedder, TextVectors

HELD = 32
"""Texts: those of a few turns."""


class CachedEmbedder:
    """An Embedder over another one, which it owns."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self.dimension = embedder.dimension
        self._embedder = embedder
        self._held: OrderedDict[bytes, TextVectors] = OrderedDict()

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        found = await self.embed_tokens(texts)
        vectors = np.empty((len(found), self.dimension), np.float32)
        for row, each in zip(vectors, found, strict=True):
            row[:] = each.vector
        return vectors

    async def embed_tokens(self, texts: Sequence[str]) -> list[TextVectors]:
        keys = [_digest(text) for text in texts]
        texts_of = dict(zip(keys, texts, strict=True))
        found = {key: self._held[key] for key in keys if key in self._held}
        if unknown := [key for key in texts_of if key not in found]:
            new = await self._embedder.embed_tokens([texts_of[key] for key in unknown])
            found.update(zip(unknown, new, strict=True))
        for key in keys:
            self._held[key] = found[key]
            self._held.move_to_end(key)
        while len(self._held) > HELD:
            self._held.popitem(last=False)
        return [found[key] for key in keys]

    async def close(self) -> None:
        self._held.clear()
        await self._embedder.close()


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
