"""A turn, as the search knows it: its vectors and the bits of its tokens, from two texts."""

from __future__ import annotations

from dataclasses import dataclass

import apsw

from companion.engines.protocols import Embedder
from companion.records import Turn
from companion.store import turn_index
from companion.store.token_bits import TurnTokens
from companion.store.vectors import Vector


@dataclass(frozen=True)
class EmbeddedTurn:
    """What is stored of a turn beside its words."""

    session: str
    number: int
    embedder: str
    query: Vector | None
    """Of the person's words alone; None when the companion spoke first."""

    whole: Vector
    tokens: TurnTokens

    def put(self, c: apsw.Connection) -> None:
        """Store it in place of what was; nothing when the turn is gone meanwhile."""
        turn_index.put_turn_vectors(
            c, self.session, self.number, self.embedder, self.query, self.whole, self.tokens
        )


async def embed_turn(embedder: Embedder, turn: Turn) -> EmbeddedTurn:
    """Raises EngineError."""
    texts = [turn_index.turn_text(turn)] + ([turn.user.text] if turn.user else [])
    whole, *query = await embedder.embed_tokens(texts)
    tokens = turn_index.turn_tokens(turn, whole.tokens, whole.spans)
    return EmbeddedTurn(
        turn.session,
        turn.number,
        embedder.name,
        query[0].vector if query else None,
        whole.vector,
        tokens,
    )
