"""Embeddings, and finding the nearest of them.

A vector belongs to the embedder that made it; vectors of two embedders never meet in a search.

Plain tables, searched by sqlite-vec's functions; a row that is erased takes its vector along. Each
row holds its vector and one sign bit per dimension of it. A search scans the bits, which a covering
index holds, and compares the CANDIDATES nearest by Hamming distance exactly.
Why not `vec0`: docs/decisions/0011-sqlite-vec-over-plain-tables.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal, NamedTuple

import apsw
import numpy as np
from numpy.typing import NDArray

from companion.errors import StoreError
from companion.store.connection import rows

Vector = NDArray[np.float32]

Table = Literal["memory_vectors", "turn_vectors", "query_vectors", "block_vectors"]

_HIDDEN = "SELECT id FROM memories WHERE status IN ('superseded', 'archived')"
_FINDABLE: dict[Table, str] = {
    "memory_vectors": f"id NOT IN ({_HIDDEN})",
    "turn_vectors": "true",
    "query_vectors": "true",
    "block_vectors": "true",
}
"""SQL condition on a row: only this is found by a search of everything."""

CANDIDATES = 1_000
"""How many rows are compared exactly; a table of no more is always searched exactly."""

_NEAR = (
    "id IN (SELECT id FROM {0} WHERE embedder = ? AND {1} "
    "ORDER BY vec_distance_hamming(vec_bit(bits), vec_bit(?)) LIMIT ?)"
)

# The zero vector has no direction: its distance is NULL, and it is like nothing. `+`: the table is
# looked up by id; the index of embedders and bits would be read through for every search.
_COSINES = (
    "SELECT id, 1 - coalesce(vec_distance_cosine(vector, ?), 1) AS cosine FROM {} "
    "WHERE +embedder = ? AND {} ORDER BY cosine DESC, id"
)


def put(c: apsw.Connection, table: Table, id: int, embedder: str, vector: Vector) -> None:
    """Store the row's vector, of shape (dimension,), in place of any it had.

    It is stored with L2 norm 1; a zero vector stays zero and is like nothing.
    Raises ValueError when it is not one finite vector, StoreError when the store knows the
    embedder with another dimension.
    """
    unit = _unit(vector)
    c.execute(
        f"INSERT OR REPLACE INTO {table} (id, embedder, vector, bits) VALUES (?, ?, ?, ?)",
        (id, _embedder(c, embedder, unit.size), unit.tobytes(), _signs(unit)),
    )


def nearest(
    c: apsw.Connection, table: Table, vector: Vector, k: int, embedder: str
) -> list[tuple[int, float]]:
    """`(id, cosine)` of what can be found, best first, at most k."""
    query = _unit(vector)
    known = _known(c, embedder, query.size)
    if known is None or k <= 0:
        return []
    near = _NEAR.format(table, _FINDABLE[table])
    sql = _COSINES.format(table, near) + " LIMIT ?"
    return rows(c, sql, query.tobytes(), known, known, _signs(query), max(CANDIDATES, 4 * k), k)


def similarity(
    c: apsw.Connection, table: Table, ids: Iterable[int], vector: Vector, embedder: str
) -> dict[int, float]:
    """The cosine of each of these rows that has a vector of this embedder, best first."""
    query = _unit(vector)
    known = _known(c, embedder, query.size)
    if known is None:
        return {}
    sql = _COSINES.format(table, "id IN (SELECT value FROM json_each(?))")
    return dict(rows(c, sql, query.tobytes(), known, json.dumps(list(ids))))


class KnownEmbedder(NamedTuple):
    """An embedder that has made vectors of this store."""

    id: int
    dimension: int


def embedder_of(c: apsw.Connection, name: str) -> KnownEmbedder | None:
    """None when it has made no vector yet."""
    row = c.execute("SELECT id, dimension FROM embedders WHERE name = ?", (name,)).fetchone()
    return None if row is None else KnownEmbedder(*row)


def _known(c: apsw.Connection, name: str, dimension: int) -> int | None:
    """The embedder's row; None when it has made no vector yet."""
    known = embedder_of(c, name)
    if known is not None and known.dimension != dimension:
        raise StoreError(
            f"embedder {name!r} gives {dimension} numbers, but the store holds {known.dimension} "
            "under this name: give the changed model another name"
        )
    return None if known is None else known.id


def _embedder(c: apsw.Connection, name: str, dimension: int) -> int:
    """The embedder's row, made when it is new."""
    known = _known(c, name, dimension)
    if known is None:
        c.execute("INSERT INTO embedders (name, dimension) VALUES (?, ?)", (name, dimension))
        return c.last_insert_rowid()
    return known


def _signs(vector: Vector) -> bytes:
    """One bit per dimension, in whole bytes: whether the number is above zero."""
    return np.packbits(vector > 0).tobytes()


def _unit(vector: Vector) -> Vector:
    vector = np.asarray(vector, dtype="<f4")
    if vector.ndim != 1 or vector.size == 0 or not np.isfinite(vector).all():
        raise ValueError(f"an embedding must be one finite vector, not of shape {vector.shape}")
    norm = float(np.linalg.norm(vector))
    return vector / np.float32(norm) if norm > 0 else vector
