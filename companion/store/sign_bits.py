"""The first pass of a search: one sign bit per dimension of every vector, in memory.

A vector of 384 numbers is 48 bytes here, 100,000 of them 4.8 MB. Two looks choose what has to be
read from the disk: all by Hamming distance; then the nearest of these by the query's own numbers,
summed where a bit is set, which tells apart what differs in as many bits. Why not one look:
docs/decisions/0001-sign-bits-in-memory.md.

The tables are the truth and this is in step with them. SQLite reports every row that changes on
this connection: it is struck out at once, so that nothing erased stays here, and read again
before the next search, whatever became of the change. What another process commits shows in
`data_version`; then everything is read anew.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal
from weakref import WeakKeyDictionary

import apsw
import numpy as np
from numpy.typing import NDArray

from companion.store.connection import rows

Table = Literal["memory_vectors", "turn_vectors", "query_vectors"]

_HIDDEN = "SELECT id FROM memories WHERE status IN ('superseded', 'archived')"
FINDABLE: dict[Table, str] = {
    "memory_vectors": f"v.id NOT IN ({_HIDDEN})",
    "turn_vectors": "true",
    "query_vectors": "true",
}
"""SQL condition on a row `v`: only this is found by a search of everything."""

_CHANGED_BY: dict[str, Table] = {
    "memories": "memory_vectors",  # its status
    "memory_vectors": "memory_vectors",
    "turn_vectors": "turn_vectors",
    "query_vectors": "query_vectors",
}

BY_DISTANCE = 2_000
"""How many the first look hands to the second."""

MANY_CHANGES = 1_000
"""Beyond so many changed rows, reading everything anew is no slower."""


def of(c: apsw.Connection, table: Table, embedder: int, dimension: int) -> SignBits:
    """The sign bits of everything that can be found in the table, as it stands now."""
    kept = _KEPT.get(c)
    if kept is None:
        kept = _KEPT[c] = _Kept()
        c.set_update_hook(kept.note)
    return kept.in_step(c, table, embedder, dimension)


def packed(vector: NDArray[np.float32]) -> bytes:
    """One bit per dimension, in whole bytes."""
    return np.packbits(vector > 0).tobytes()


class SignBits:
    """Of vectors of one dimension, by the ids of their rows."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._ids = np.empty(0, np.int64)
        """Ascending."""
        self._words = np.empty((-(-dimension // 64), 0), np.uint64)
        """A column for each vector: 64 bits a row, the last padded with zeros."""
        self._struck = np.empty(0, np.bool_)
        """Columns that stand for nothing any more."""

    def __len__(self) -> int:
        return len(self._ids) - int(np.count_nonzero(self._struck))

    def strike(self, id: int) -> None:
        """Keep nothing of this row, if there is one."""
        at = int(np.searchsorted(self._ids, id))
        if at < len(self._ids) and self._ids[at] == id:
            self._words[:, at] = 0
            self._struck[at] = True

    def put(self, found: Sequence[tuple[int, bytes]]) -> None:
        """Add `(id, bits)`, or set them where the id is known."""
        ids = np.array([id for id, _ in found], np.int64)
        words = self._as_words(b"".join(bits for _, bits in found), len(found))
        at = np.searchsorted(self._ids, ids)
        known = np.zeros(len(ids), np.bool_)
        inside = at < len(self._ids)
        known[inside] = self._ids[at[inside]] == ids[inside]
        self._words[:, at[known]] = words[:, known]
        self._struck[at[known]] = False
        if known.all():
            return
        stay = ~self._struck
        self._ids = np.concatenate([self._ids[stay], ids[~known]])
        self._words = np.concatenate([self._words[:, stay], words[:, ~known]], axis=1)
        self._struck = np.zeros(len(self._ids), np.bool_)
        if np.any(self._ids[1:] < self._ids[:-1]):
            order = np.argsort(self._ids, kind="stable")
            self._ids, self._words = self._ids[order], self._words[:, order]

    def nearest(self, query: NDArray[np.float32], k: int) -> list[int]:
        """The ids of at most k vectors that are probably the nearest, best first."""
        asked = self._as_words(packed(query), 1)
        distance = np.zeros(len(self._ids), np.uint16)
        for held, word in zip(self._words, asked, strict=True):
            distance += np.bitwise_count(held ^ word)
        distance[self._struck] = 64 * len(self._words) + 1
        near = _least(distance, min(max(k, BY_DISTANCE), len(self)))
        columns = np.ascontiguousarray(self._words[:, near].T).view(np.uint8)
        signs = np.unpackbits(columns, axis=1, count=self._dimension)
        order = np.argsort(-(signs.astype(np.float32) @ query), kind="stable")[:k]
        best: list[int] = self._ids[near[order]].tolist()
        return best

    def _as_words(self, bits: bytes, n: int) -> NDArray[np.uint64]:
        """Packed bits of n vectors, one after the other, as columns."""
        used = -(-self._dimension // 8)
        columns = np.zeros((n, 8 * len(self._words)), np.uint8)
        columns[:, :used] = np.frombuffer(bits, np.uint8).reshape(n, used)
        return np.ascontiguousarray(columns.view(np.uint64).T)


def _least(distance: NDArray[np.uint16], n: int) -> NDArray[np.intp]:
    """Where the n least stand; of those that tie at the end, the first. By counting: the
    distances are few."""
    cut = int(np.searchsorted(np.bincount(distance).cumsum(), n))
    below = np.flatnonzero(distance < cut)
    return np.concatenate([below, np.flatnonzero(distance == cut)[: n - len(below)]])


class _Kept:
    """What one connection has looked at."""

    def __init__(self) -> None:
        self._bits: dict[Table, tuple[int, SignBits]] = {}
        """With the embedder whose vectors they are."""
        self._changed: dict[Table, set[int]] = {}
        self._version: int | None = None

    def note(self, kind: int, database: str, name: str, id: int) -> None:
        """SQLite's update hook: a row is being inserted, updated or deleted."""
        table = _CHANGED_BY.get(name)
        if table is None or table not in self._bits:
            return
        self._bits[table][1].strike(id)
        self._changed[table].add(id)
        if len(self._changed[table]) > MANY_CHANGES:
            del self._bits[table]

    def in_step(self, c: apsw.Connection, table: Table, embedder: int, dimension: int) -> SignBits:
        version = c.pragma("data_version")
        if version != self._version:
            self._bits.clear()
            self._version = version
        # What is read inside a transaction that writes may yet be rolled back.
        lasts = c.txn_state("main") != apsw.SQLITE_TXN_WRITE
        owner, bits = self._bits.get(table, (None, None))
        if bits is None or owner != embedder:
            bits = SignBits(dimension)
            bits.put(_read(c, table, embedder))
            if lasts:
                self._bits[table] = (embedder, bits)
                self._changed[table] = set()
        elif changed := self._changed[table]:
            for id in changed:
                bits.strike(id)  # it was put here before, perhaps, by what was rolled back
            bits.put(_read(c, table, embedder, changed))
            if lasts:
                changed.clear()
        return bits


_KEPT: WeakKeyDictionary[apsw.Connection, _Kept] = WeakKeyDictionary()


def _read(
    c: apsw.Connection, table: Table, embedder: int, only: set[int] | None = None
) -> list[tuple[int, bytes]]:
    sql = f"SELECT v.id, v.bits FROM {table} AS v WHERE v.embedder = ? AND {FINDABLE[table]}"
    if only is None:
        return rows(c, sql, embedder)
    sql += " AND v.id IN (SELECT value FROM json_each(?))"
    return rows(c, sql, embedder, json.dumps(list(only)))
