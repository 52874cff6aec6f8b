"""Embeddings: plain tables are the truth, vec0 tables a coarse index over them.

A vector belongs to the embedder that made it; vectors of two embedders never meet in one search.
Small stores are searched exactly. Larger ones in two passes: the vec0 index holds one sign bit
per dimension and finds candidates by Hamming distance, then the float32 vectors of the
candidates are compared exactly (sqlite-vec 0.1.9: no UPSERT, k <= 4096, bits in whole bytes).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from companion.errors import StoreError
from companion.store.connection import rows

Vector = NDArray[np.float32]

EXACT_ROWS = 2_000
"""Up to this many vectors an exact scan is as fast as the two passes."""

CANDIDATES = 400
"""Vectors that the coarse pass hands over; measured in tests/store/test_vectors.py."""

_MOST_CANDIDATES = 4096

ALL = _MOST_CANDIDATES
"""For `passed_over`: the rows that may be found are few, compare them all exactly."""


@dataclass(frozen=True)
class Space:
    """One kind of vector."""

    index: str
    """Prefix of its vec0 tables; the embedder's id follows."""

    truth: str
    """FROM and WHERE of the rows that may be found, with `id` for the row."""

    column: str


MEMORIES = Space(
    "memory_bits",
    "memory_vectors AS v JOIN memories AS m ON m.id = v.id WHERE m.status = 'active'",
    "vector",
)
TURNS = Space("turn_bits", "turn_vectors AS v JOIN turns AS t ON t.id = v.id WHERE true", "turn")
QUERIES = Space(
    "query_bits",
    "turn_vectors AS v JOIN turns AS t ON t.id = v.id WHERE v.query IS NOT NULL",
    "query",
)
_SPACES = (MEMORIES, TURNS, QUERIES)


def embedder_id(c: apsw.Connection, name: str, dimension: int) -> int:
    """The embedder's row, made with its vec0 tables when it is new.

    Raises StoreError when the store knows the name with another dimension.
    """
    row = c.execute("SELECT id, dimension FROM embedders WHERE name = ?", (name,)).fetchone()
    if row is None:
        c.execute("INSERT INTO embedders (name, dimension) VALUES (?, ?)", (name, dimension))
        id = c.last_insert_rowid()
        for space in _SPACES:
            _create_index(c, space, id, dimension)
        return id
    if row[1] != dimension:
        raise StoreError(
            f"embedder {name!r} gives {dimension} numbers, but the store holds {row[1]} under "
            "this name: give the changed model another name"
        )
    return int(row[0])


def to_blob(vector: Vector) -> bytes:
    """Float32 with L2 norm 1 (a zero vector stays zero: it is like nothing).

    Raises ValueError when it is not a finite vector.
    """
    vector = np.asarray(vector, dtype="<f4")
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise ValueError(f"an embedding must be one finite vector, not shape {vector.shape}")
    norm = float(np.linalg.norm(vector))
    return (vector / np.float32(norm) if norm > 0 else vector).astype("<f4").tobytes()


def index(c: apsw.Connection, space: Space, embedder: int, id: int, blob: bytes) -> None:
    """Put a vector into the coarse index. The row must not be in it."""
    c.execute(
        f"INSERT INTO {space.index}_{embedder} (id, bits) VALUES (?, vec_bit(?))",
        (id, _bits(np.frombuffer(blob, dtype="<f4"))),
    )


def unindex(c: apsw.Connection, space: Space, embedder: int, id: int) -> None:
    """Take a vector out of the coarse index; harmless when it is not there."""
    c.execute(f"DELETE FROM {space.index}_{embedder} WHERE id = ?", (id,))


def drop_turn(c: apsw.Connection, id: int) -> None:
    """Forget a turn's vectors; it waits for embedding again."""
    row = c.execute("SELECT embedder FROM turn_vectors WHERE id = ?", (id,)).fetchone()
    if row is not None:
        unindex(c, TURNS, row[0], id)
        unindex(c, QUERIES, row[0], id)
        c.execute("DELETE FROM turn_vectors WHERE id = ?", (id,))


def rebuild(c: apsw.Connection) -> None:
    """Make every vec0 table anew from the truth. Frees the room of deleted rows."""
    for embedder, dimension in rows(c, "SELECT id, dimension FROM embedders"):
        for space in _SPACES:
            c.execute(f"DROP TABLE IF EXISTS {space.index}_{embedder}")
            _create_index(c, space, embedder, dimension)
            truth = f"SELECT v.id, v.{space.column} FROM {space.truth} AND v.embedder = ?"
            for id, blob in rows(c, truth, embedder):
                index(c, space, embedder, id, blob)


def nearest(
    c: apsw.Connection,
    space: Space,
    vector: Vector,
    k: int,
    embedder: str,
    *,
    only: str = "",
    params: tuple[apsw.SQLiteValue, ...] = (),
    passed_over: int = 0,
) -> list[tuple[int, float]]:
    """Row ids and cosine, best first; at most k.

    only: further SQL for the rows that may be found (` AND t.session = ?`), with its `params`.
    passed_over: how many indexed rows `only` may hide at most; so many more candidates are taken.
    """
    known = c.execute("SELECT id, dimension FROM embedders WHERE name = ?", (embedder,)).fetchone()
    if known is None or k <= 0:
        return []
    id, dimension = known
    query = np.frombuffer(to_blob(vector), dtype="<f4")
    if query.shape != (dimension,):
        raise StoreError(
            f"embedder {embedder!r} asked with {query.size} numbers, the store holds {dimension}"
        )
    sql = f"SELECT v.id, v.{space.column} FROM {space.truth} AND v.embedder = ?{only}"
    wanted = max(k, CANDIDATES) + passed_over
    if wanted <= _MOST_CANDIDATES and _more_than(c, space, id, EXACT_ROWS):
        sql += (
            f" AND v.id IN (SELECT id FROM {space.index}_{id}"
            f" WHERE bits MATCH vec_bit(?) AND k = {wanted})"
        )
        params = (*params, _bits(query))
    return _rank(rows(c, sql, id, *params), query, k)


def _rank(found: list[tuple[Any, ...]], query: Vector, k: int) -> list[tuple[int, float]]:
    if not found:
        return []
    vectors = np.frombuffer(b"".join(blob for _, blob in found), dtype="<f4")
    scores = vectors.reshape(len(found), -1) @ query
    best = np.argsort(-scores, kind="stable")[:k]
    return [(int(found[i][0]), float(scores[i])) for i in best]


def _more_than(c: apsw.Connection, space: Space, embedder: int, limit: int) -> bool:
    table = space.truth.split()[0]
    held = c.execute(
        f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE embedder = ? LIMIT ?)",
        (embedder, limit + 1),
    ).get
    return bool(held > limit)


def _create_index(c: apsw.Connection, space: Space, embedder: int, dimension: int) -> None:
    bits = -(-dimension // 8) * 8
    c.execute(
        f"CREATE VIRTUAL TABLE {space.index}_{embedder} "
        f"USING vec0(id INTEGER PRIMARY KEY, bits bit[{bits}])"
    )


def _bits(vector: Vector) -> bytes:
    return np.packbits(vector > 0, bitorder="little").tobytes()
