"""Embeddings, and finding the nearest of them.

A vector belongs to the embedder that made it; vectors of two embedders never meet in a search.

Every search is exact: sqlite-vec compares the query with each row of a plain table, and a row that
is erased takes its vector along. Why no index: docs/decisions/0011-sqlite-vec-over-plain-tables.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal

import apsw
import numpy as np
from numpy.typing import NDArray

from companion.errors import StoreError
from companion.store.connection import rows

Vector = NDArray[np.float32]

Table = Literal["memory_vectors", "turn_vectors", "query_vectors"]

_HIDDEN = "SELECT id FROM memories WHERE status IN ('superseded', 'archived')"
_FINDABLE: dict[Table, str] = {
    "memory_vectors": f"id NOT IN ({_HIDDEN})",
    "turn_vectors": "true",
    "query_vectors": "true",
}
"""SQL condition on a row: only this is found by a search of everything."""

# The zero vector has no direction: its distance is NULL, and it is like nothing.
_COSINES = (
    "SELECT id, 1 - coalesce(vec_distance_cosine(vector, ?), 1) AS cosine FROM {} "
    "WHERE embedder = ? AND {} ORDER BY cosine DESC, id LIMIT ?"
)
_ALL = -1
"""No limit, to SQLite."""


def put(c: apsw.Connection, table: Table, id: int, embedder: str, vector: Vector) -> None:
    """Store the row's vector, of shape (dimension,), in place of any it had.

    It is stored with L2 norm 1; a zero vector stays zero and is like nothing.
    Raises ValueError when it is not one finite vector, StoreError when the store knows the
    embedder with another dimension.
    """
    unit = _unit(vector)
    c.execute(
        f"INSERT OR REPLACE INTO {table} (id, embedder, vector) VALUES (?, ?, ?)",
        (id, _embedder(c, embedder, unit.size), unit.tobytes()),
    )


def nearest(
    c: apsw.Connection, table: Table, vector: Vector, k: int, embedder: str
) -> list[tuple[int, float]]:
    """`(id, cosine)` of what can be found, best first, at most k."""
    return _ranked(c, table, vector, embedder, _FINDABLE[table], k=max(k, 0))


def similarity(
    c: apsw.Connection, table: Table, ids: Iterable[int], vector: Vector, embedder: str
) -> dict[int, float]:
    """The cosine of each of these rows that has a vector of this embedder, best first."""
    among = "id IN (SELECT value FROM json_each(?))"
    return dict(_ranked(c, table, vector, embedder, among, json.dumps(list(ids))))


def _ranked(
    c: apsw.Connection,
    table: Table,
    vector: Vector,
    embedder: str,
    where: str,
    *params: str,
    k: int = _ALL,
) -> list[tuple[int, float]]:
    """`(id, cosine)` of the rows that the condition names, best first; of equals, the older."""
    query = _unit(vector)
    known = _known(c, embedder, query.size)
    if known is None:
        return []
    return rows(c, _COSINES.format(table, where), query.tobytes(), known, *params, k)


def _known(c: apsw.Connection, name: str, dimension: int) -> int | None:
    """The embedder's row; None when it has made no vector yet."""
    row = c.execute("SELECT id, dimension FROM embedders WHERE name = ?", (name,)).fetchone()
    if row is not None and row[1] != dimension:
        raise StoreError(
            f"embedder {name!r} gives {dimension} numbers, but the store holds {row[1]} under this "
            "name: give the changed model another name"
        )
    return None if row is None else int(row[0])


def _embedder(c: apsw.Connection, name: str, dimension: int) -> int:
    """The embedder's row, made when it is new."""
    known = _known(c, name, dimension)
    if known is None:
        c.execute("INSERT INTO embedders (name, dimension) VALUES (?, ?)", (name, dimension))
        return c.last_insert_rowid()
    return known


def _unit(vector: Vector) -> Vector:
    vector = np.asarray(vector, dtype="<f4")
    if vector.ndim != 1 or vector.size == 0 or not np.isfinite(vector).all():
        raise ValueError(f"an embedding must be one finite vector, not of shape {vector.shape}")
    norm = float(np.linalg.norm(vector))
    return vector / np.float32(norm) if norm > 0 else vector
