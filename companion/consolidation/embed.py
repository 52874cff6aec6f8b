"""Computes vectors for turns and memories that have none from the present embedder."""

from __future__ import annotations

import apsw

from companion.consolidation.report import Effects
from companion.engines.protocols import Embedder, TextVectors
from companion.recall.embedding import EmbeddedTurn, embed_turn
from companion.store import history, memories, token_bits, turn_index
from companion.store.database import Store
from companion.store.pending import Unit

_ROWS = 64
"""How many pending rows are looked up at once."""


async def embed_memory(embedder: Embedder, store: Store, id: int) -> None:
    """Give one memory its vector at once. Raises EngineError, StoreError."""
    step, unit = EmbeddingMemories(embedder, store), ("", id)
    await store.write(step.commit, unit, await step.infer(unit))


class EmbeddingTurns:
    """The step `embed`: one turn. The dialog embeds each turn itself; this is for missed ones."""

    name = "embed"

    def __init__(self, embedder: Embedder, store: Store) -> None:
        self._embedder = embedder
        self._store = store

    def pending(self, c: apsw.Connection) -> list[Unit]:
        turns = turn_index.unembedded_turns(c, self._embedder.name, _ROWS)
        return [(turn.session, turn.number) for turn in turns]

    async def infer(self, unit: Unit) -> EmbeddedTurn | None:
        turn = await self._store.read(history.turn, *unit)
        return None if turn is None else await embed_turn(self._embedder, turn)

    def commit(self, c: apsw.Connection, unit: Unit, result: EmbeddedTurn | None) -> Effects:
        if result is not None:
            result.put(c)
        return Effects()


class EmbeddingMemories:
    """The step `embed-memory`: one memory, new or after the embedder was changed."""

    name = "embed-memory"

    def __init__(self, embedder: Embedder, store: Store) -> None:
        self._embedder = embedder
        self._store = store

    def pending(self, c: apsw.Connection) -> list[Unit]:
        found = memories.unembedded_memories(c, self._embedder.name, _ROWS)
        return [("", memory.id) for memory in found]

    async def infer(self, unit: Unit) -> TextVectors | None:
        memory = await self._store.read(memories.get, unit[1])
        return None if memory is None else (await self._embedder.embed_tokens([memory.text]))[0]

    def commit(self, c: apsw.Connection, unit: Unit, result: TextVectors | None) -> Effects:
        if result is not None:
            bits = token_bits.signs(result.tokens)
            memories.put_vector(c, unit[1], self._embedder.name, result.vector, bits)
        return Effects()
