"""Computes vectors for turns and memories that have none from the present embedder."""

from __future__ import annotations

import apsw
import numpy as np
from numpy.typing import NDArray

from companion.consolidation.report import Effects
from companion.engines.protocols import Embedder
from companion.store import history, memories, turn_index
from companion.store.database import Store
from companion.store.pending import Unit

Vectors = NDArray[np.float32]
_ROWS = 64
"""How many pending rows are looked up at once."""


class EmbeddingTurns:
    """The step `embed`: one turn. The dialog embeds each turn itself; this is for missed ones."""

    name = "embed"

    def __init__(self, embedder: Embedder, store: Store) -> None:
        self._embedder = embedder
        self._store = store

    def pending(self, c: apsw.Connection) -> list[Unit]:
        turns = turn_index.unembedded_turns(c, self._embedder.name, _ROWS)
        return [(turn.session, turn.number) for turn in turns]

    async def infer(self, unit: Unit) -> Vectors | None:
        turn = await self._store.read(history.turn, *unit)
        if turn is None:
            return None
        texts = [turn_index.turn_text(turn)]
        if turn.user is not None:
            texts.append(turn.user.text)
        return await self._embedder.embed(texts)

    def commit(self, c: apsw.Connection, unit: Unit, result: Vectors | None) -> Effects:
        if result is not None:
            query = result[1] if len(result) > 1 else None
            turn_index.put_turn_vectors(c, *unit, self._embedder.name, query, result[0])
        return Effects()


class EmbeddingMemories:
    """The step `embed-memory`: one memory, after the embedder was changed."""

    name = "embed-memory"

    def __init__(self, embedder: Embedder, store: Store) -> None:
        self._embedder = embedder
        self._store = store

    def pending(self, c: apsw.Connection) -> list[Unit]:
        found = memories.unembedded_memories(c, self._embedder.name, _ROWS)
        return [("", memory.id) for memory in found]

    async def infer(self, unit: Unit) -> Vectors | None:
        memory = await self._store.read(memories.get, unit[1])
        return None if memory is None else await self._embedder.embed([memory.text])

    def commit(self, c: apsw.Connection, unit: Unit, result: Vectors | None) -> Effects:
        if result is not None:
            memories.put_vector(c, unit[1], self._embedder.name, result[0])
        return Effects()
