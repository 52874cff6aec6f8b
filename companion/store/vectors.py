"""Embeddings, and finding the nearest of them.

A vector belongs to the embedder that made it; vectors of two embedders never meet in a search.

Small stores are searched exactly. In larger ones sign bits in memory (`sign_bits`) choose the
candidates; their float32 vectors are read and compared exactly.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from companion.errors import StoreError
from companion.store import sign_bits
from companion.store.connection import rows
from companion.store.sign_bits import FINDABLE, Table

Vector = NDArray[np.float32]

CANDIDATES = 400
"""How many are compared exactly, so that fewer are always searched exactly. Of 100,000 sentence
vectors, 0.98 of the true ten nearest are among those that the sign bits choose (0.987 of sentences
with noise, 55 about each; 160 candidates: 0.945; by Hamming distance alone, 400: 0.943)."""

_VECTORS = "SELECT v.id, v.vector FROM {} AS v WHERE +v.embedder = ?"
"""`+`: not by the index of embedders and bits, which would look every row up in its order."""

_AMONG = "v.id IN (SELECT value FROM json_each(?))"


def put(c: apsw.Connection, table: Table, id: int, embedder: str, vector: Vector) -> None:
    """Store the row's vector, of shape (dimension,), in place of any it had.

    It is stored with L2 norm 1; a zero vector stays zero and is like nothing.
    Raises ValueError when it is not one finite vector, StoreError when the store knows the
    embedder with another dimension.
    """
    unit = _unit(vector)
    c.execute(
        f"INSERT OR REPLACE INTO {table} (id, embedder, vector, bits) VALUES (?, ?, ?, ?)",
        (id, _embedder(c, embedder, unit.size), unit.tobytes(), sign_bits.packed(unit)),
    )


def nearest(
    c: apsw.Connection, table: Table, vector: Vector, k: int, embedder: str
) -> list[tuple[int, float]]:
    """`(id, cosine)` of what can be found, best first, at most k."""
    query = _unit(vector)
    known = _known(c, embedder, query.size)
    if known is None or k <= 0:
        return []
    sql = f"{_VECTORS.format(table)} AND {FINDABLE[table]}"
    params: tuple[apsw.SQLiteValue, ...] = (known,)
    bits = sign_bits.of(c, table, known, query.size)
    most = max(4 * k, CANDIDATES)
    if len(bits) > most:
        sql += f" AND {_AMONG}"
        params = (known, json.dumps(bits.nearest(query, most)))
    return _rank(rows(c, sql, *params), query)[:k]


def similarity(
    c: apsw.Connection, table: Table, ids: Iterable[int], vector: Vector, embedder: str
) -> dict[int, float]:
    """The cosine of each of these rows that has a vector of this embedder, best first."""
    query = _unit(vector)
    known = _known(c, embedder, query.size)
    if known is None:
        return {}
    sql = f"{_VECTORS.format(table)} AND {_AMONG}"
    return dict(_rank(rows(c, sql, known, json.dumps(list(ids))), query))


def _rank(found: list[tuple[Any, ...]], query: Vector) -> list[tuple[int, float]]:
    """Rows of id and vector as id and cosine, best first."""
    if not found:
        return []
    ids, blobs = zip(*found, strict=True)
    vectors = np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(ids), -1)
    scores = vectors @ query
    order = np.argsort(-scores, kind="stable")
    return [(ids[i], cosine) for i, cosine in zip(order, scores[order].tolist(), strict=True)]


def _known(c: apsw.Connection, name: str, dimension: int) -> int | None:
    """The embedder's row; None when it has made no vector yet."""
    row = c.execute("SELECT id, dimension FROM embedders WHERE name = ?", (name,)).fetchone()
    if row is not None and row[1] != dimension:
        raise StoreError(_wrong_dimension(name, dimension, row[1]))
    return None if row is None else int(row[0])


def _embedder(c: apsw.Connection, name: str, dimension: int) -> int:
    """The embedder's row, made when it is new."""
    known = _known(c, name, dimension)
    if known is None:
        c.execute("INSERT INTO embedders (name, dimension) VALUES (?, ?)", (name, dimension))
        return c.last_insert_rowid()
    return known


def _wrong_dimension(name: str, given: int, held: int) -> str:
    return (
        f"embedder {name!r} gives {given} numbers, but the store holds {held} under this name: "
        "give the changed model another name"
    )


def _unit(vector: Vector) -> Vector:
    vector = np.asarray(vector, dtype="<f4")
    if vector.ndim != 1 or vector.size == 0 or not np.isfinite(vector).all():
        raise ValueError(f"an embedding must be one finite vector, not of shape {vector.shape}")
    norm = float(np.linalg.norm(vector))
    return vector / np.float32(norm) if norm > 0 else vector
