"""Embeddings, and finding the nearest of them.

A vector belongs to the embedder that made it; vectors of two embedders never meet in a search.

Small stores are searched exactly. Larger ones in two passes: a covering index holds one sign bit
per dimension, a scan of it by Hamming distance finds candidates, and their float32 vectors are
compared exactly. SQLite keeps such an index in step by itself, with no rebuilding and no limit
on k, and for a few hundred candidates out of 100,000 it is faster than sqlite-vec's own vec0
tables, whose time grows with k (measured with 400: 14 ms against 62 ms).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Literal

import apsw
import numpy as np
from numpy.typing import NDArray

from companion.errors import StoreError
from companion.store.connection import rows

Vector = NDArray[np.float32]
Table = Literal["memory_vectors", "turn_vectors", "query_vectors"]

_OWNERS: dict[Table, str] = {
    "memory_vectors": "memories",
    "turn_vectors": "turns",
    "query_vectors": "turns",
}

EXACT_ROWS = 2_000
"""Up to this many vectors an exact scan is as fast as two passes."""

CANDIDATES = 400
"""How many the first pass hands over: of 100,000 sentence vectors, 0.98 of the true ten nearest
are among them (tests/store/test_large.py, at 11,000)."""


def put(c: apsw.Connection, table: Table, id: int, embedder: str, vector: Vector) -> None:
    """Store the row's vector, of shape (dimension,), in place of any it had.

    It is stored with L2 norm 1; a zero vector stays zero and is like nothing.
    Raises ValueError when it is not one finite vector, StoreError when the store knows the
    embedder with another dimension.
    """
    unit = _unit(vector)
    c.execute(
        f"INSERT OR REPLACE INTO {table} (id, embedder, vector, bits) VALUES (?, ?, ?, ?)",
        (id, _embedder(c, embedder, unit.size), unit.tobytes(), _bits(unit)),
    )


def nearest(
    c: apsw.Connection,
    table: Table,
    vector: Vector,
    k: int,
    embedder: str,
    *,
    shown: str,
    params: tuple[apsw.SQLiteValue, ...] = (),
    hidden: int | None = None,
) -> list[tuple[int, float]]:
    """`(id, cosine)`, best first, at most k.

    shown: SQL condition on the vector's owner, a row `o` of memories or turns, with its `params`.
    hidden: how many vectors it leaves out at most, so many more candidates are taken; None when
    it leaves in only a few, which are then compared exactly.
    """
    known = c.execute("SELECT id, dimension FROM embedders WHERE name = ?", (embedder,)).fetchone()
    if known is None or k <= 0:
        return []
    owner, dimension = known
    query = _unit(vector)
    if query.size != dimension:
        raise StoreError(_wrong_dimension(embedder, query.size, dimension))
    sql = (
        f"SELECT v.id, v.vector FROM {table} AS v JOIN {_OWNERS[table]} AS o ON o.id = v.id "
        f"WHERE v.embedder = ? AND {shown}"
    )
    if hidden is not None and _holds_more_than(c, table, owner, EXACT_ROWS):
        sql += (
            f" AND v.id IN (SELECT id FROM {table} WHERE embedder = ?"
            " ORDER BY vec_distance_hamming(vec_bit(bits), vec_bit(?)) LIMIT ?)"
        )
        params = (*params, owner, _bits(query), max(k, CANDIDATES) + hidden)
    return _rank(rows(c, sql, owner, *params), query, k)


def similarity(
    c: apsw.Connection, table: Table, ids: Iterable[int], vector: Vector, embedder: str
) -> dict[int, float]:
    """The cosine of each of these rows that has a vector of this embedder."""
    found = rows(
        c,
        f"SELECT v.id, v.vector FROM {table} AS v JOIN embedders AS e ON e.id = v.embedder "
        "WHERE e.name = ? AND v.id IN (SELECT value FROM json_each(?))",
        embedder,
        json.dumps(list(ids)),
    )
    return dict(_rank(found, _unit(vector), len(found)))


def _rank(found: list[tuple[Any, ...]], query: Vector, k: int) -> list[tuple[int, float]]:
    if not found:
        return []
    vectors = np.frombuffer(b"".join(blob for _, blob in found), dtype="<f4")
    scores = vectors.reshape(len(found), -1) @ query
    best = np.argsort(-scores, kind="stable")[:k]
    return [(int(found[i][0]), float(scores[i])) for i in best]


def _embedder(c: apsw.Connection, name: str, dimension: int) -> int:
    """The embedder's row, made when it is new."""
    row = c.execute("SELECT id, dimension FROM embedders WHERE name = ?", (name,)).fetchone()
    if row is None:
        c.execute("INSERT INTO embedders (name, dimension) VALUES (?, ?)", (name, dimension))
        return c.last_insert_rowid()
    if row[1] != dimension:
        raise StoreError(_wrong_dimension(name, dimension, row[1]))
    return int(row[0])


def _wrong_dimension(name: str, given: int, held: int) -> str:
    return (
        f"embedder {name!r} gives {given} numbers, but the store holds {held} under this name: "
        "give the changed model another name"
    )


def _holds_more_than(c: apsw.Connection, table: Table, embedder: int, limit: int) -> bool:
    held = c.execute(
        f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE embedder = ? LIMIT ?)",
        (embedder, limit + 1),
    ).get
    return bool(held > limit)


def _unit(vector: Vector) -> Vector:
    vector = np.asarray(vector, dtype="<f4")
    if vector.ndim != 1 or vector.size == 0 or not np.isfinite(vector).all():
        raise ValueError(f"an embedding must be one finite vector, not of shape {vector.shape}")
    norm = float(np.linalg.norm(vector))
    return vector / np.float32(norm) if norm > 0 else vector


def _bits(vector: Vector) -> bytes:
    """One bit per dimension, in whole bytes."""
    return np.packbits(vector > 0).tobytes()
