"""Token vectors of turns and memories, kept as the sign of each of their numbers.

A message or a memory has one row of bits a token (48 bytes for 384 dimensions), made by the pass of
the embedder that makes its vector, and read for the few candidates of a search: what compares them
is `companion.recall.late_interaction`. Like a vector they belong to one embedder, and go with the
row they were made from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal, NamedTuple

import apsw
import numpy as np
from numpy.typing import NDArray

from companion.store import vectors
from companion.store.connection import rows

Bits = NDArray[np.uint8]
"""Shape (tokens, dimension / 8, rounded up): the signs of a token's vector, as `np.packbits`."""


class TurnTokens(NamedTuple):
    """The tokens of a turn, by who said them."""

    said: Bits
    reply: Bits


def signs(tokens: NDArray[np.float32]) -> Bits:
    """tokens: shape (tokens, dimension)."""
    return np.packbits(tokens > 0, axis=1)


def put_turn(c: apsw.Connection, id: int, embedder: str, tokens: TurnTokens) -> None:
    """Store a turn's tokens in place of any it had. The embedder has made a vector before."""
    c.execute(
        "INSERT OR REPLACE INTO turn_tokens (id, embedder, said, reply) "
        "SELECT ?, id, ?, ? FROM embedders WHERE name = ?",
        (id, tokens.said.tobytes(), tokens.reply.tobytes(), embedder),
    )


def put_memory(c: apsw.Connection, id: int, embedder: str, tokens: Bits) -> None:
    """The same for a memory."""
    _put(c, "memory_tokens", id, embedder, tokens)


def put_block(c: apsw.Connection, id: int, embedder: str, tokens: Bits) -> None:
    """The same for a block."""
    _put(c, "block_tokens", id, embedder, tokens)


def of_turns(
    c: apsw.Connection, keys: Iterable[tuple[str, int]], embedder: str
) -> dict[tuple[str, int], TurnTokens]:
    """The tokens of those of these turns that have any of this embedder."""
    known = vectors.embedder_of(c, embedder)
    if known is None:
        return {}
    found = rows(
        c,
        "SELECT t.session, t.number, k.said, k.reply FROM json_each(?) AS asked "
        "CROSS JOIN turns AS t ON t.session = asked.value ->> 0 AND t.number = asked.value ->> 1 "
        "CROSS JOIN turn_tokens AS k ON k.id = t.id WHERE k.embedder = ?",
        json.dumps(list(keys)),
        known.id,
    )
    return {
        (session, number): TurnTokens(_bits(said, known), _bits(reply, known))
        for session, number, said, reply in found
    }


def of_memories(c: apsw.Connection, ids: Iterable[int], embedder: str) -> dict[int, Bits]:
    """The tokens of those of these memories that have any of this embedder."""
    return _of(c, "memory_tokens", ids, embedder)


def of_blocks(c: apsw.Connection, ids: Iterable[int], embedder: str) -> dict[int, Bits]:
    """The tokens of those of these blocks that have any of this embedder."""
    return _of(c, "block_tokens", ids, embedder)


_Table = Literal["memory_tokens", "block_tokens"]


def _put(c: apsw.Connection, table: _Table, id: int, embedder: str, tokens: Bits) -> None:
    c.execute(
        f"INSERT OR REPLACE INTO {table} (id, embedder, text) "
        "SELECT ?, id, ? FROM embedders WHERE name = ?",
        (id, tokens.tobytes(), embedder),
    )


def _of(c: apsw.Connection, table: _Table, ids: Iterable[int], embedder: str) -> dict[int, Bits]:
    known = vectors.embedder_of(c, embedder)
    if known is None:
        return {}
    found = rows(
        c,
        f"SELECT id, text FROM {table} "
        "WHERE id IN (SELECT value FROM json_each(?)) AND embedder = ?",
        json.dumps(list(ids)),
        known.id,
    )
    return {id: _bits(text, known) for id, text in found}


def _bits(blob: bytes, of: vectors.KnownEmbedder) -> Bits:
    return np.frombuffer(blob, np.uint8).reshape(-1, -(-of.dimension // 8))
