"""Long-term memories: text, sources, strength, and their life from active to erased.

active -> superseded (a newer one took its place; undoable) or archived (faded; restorable), then
removed physically. Only active memories are found by `nearest` and `search`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import date, datetime

import apsw

from companion.errors import StoreError
from companion.records import Memory, MemoryStatus, Source
from companion.store import lived, memory_rows, text_index, token_bits, uses, vectors
from companion.store.connection import rows
from companion.store.token_bits import Bits
from companion.store.vectors import Vector


def add(
    c: apsw.Connection,
    text: str,
    *,
    kind: str,
    sources: Sequence[Source],
    vector: Vector | None,
    embedder: str,
    now: datetime,
    event_time: str | None = None,
    said: datetime | None = None,
    tokens: Bits | None = None,
) -> int:
    """Store a memory, of strength 1, and return its id. `vector` None: it waits for embedding;
    `tokens` None: those too.
    said: when it was told, which is the day that it bears; None: now."""
    c.execute(
        "INSERT INTO memories (text, kind, created, last_used, last_used_lived_s, strength, "
        "event_time) VALUES (?, ?, ?, ?, ?, 1, ?)",
        (text, kind, (said or now).isoformat(), now.isoformat(), lived.now(c), event_time),
    )
    id = c.last_insert_rowid()
    uses.note(c, [id])
    add_sources(c, id, sources)
    text_index.put(c, "memory_index", id)
    if vector is not None:
        put_vector(c, id, embedder, vector, tokens)
    return id


def add_sources(c: apsw.Connection, id: int, sources: Iterable[Source]) -> None:
    """Name further turns that say the same; those already named are left alone."""
    c.executemany(
        "INSERT OR IGNORE INTO sources (memory, session, turn, quote) VALUES (?, ?, ?, ?)",
        [(id, source.session, source.turn, source.quote) for source in sources],
    )


def get(c: apsw.Connection, id: int) -> Memory | None:
    """One memory, whatever its status."""
    return get_all(c, [id]).get(id)


def get_all(c: apsw.Connection, ids: Iterable[int]) -> dict[int, Memory]:
    """Those of these memories that there are, whatever their status, by id in ascending order."""
    sql = memory_rows.SELECT + "WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
    return {each.id: each for each in memory_rows.read(c, rows(c, sql, json.dumps(list(ids))))}


def list_memories(c: apsw.Connection, status: MemoryStatus = "active") -> list[Memory]:
    """All memories of one status, oldest first."""
    return memory_rows.read(c, rows(c, memory_rows.SELECT + "WHERE status = ? ORDER BY id", status))


def nearest(
    c: apsw.Connection, vector: Vector, k: int, *, embedder: str
) -> list[tuple[int, float]]:
    """`(id, cosine)` of active memories, best first."""
    return vectors.nearest(c, "memory_vectors", vector, k, embedder)


def similarity(
    c: apsw.Connection, ids: Iterable[int], vector: Vector, *, embedder: str
) -> dict[int, float]:
    """The cosine of each of these memories that has a vector of this embedder."""
    return vectors.similarity(c, "memory_vectors", ids, vector, embedder)


def citing(c: apsw.Connection, turns: Iterable[tuple[str, int]]) -> set[int]:
    """Active memories that cite any of these turns, by session and number."""
    found = rows(
        c,
        "SELECT m.id FROM json_each(?) AS asked CROSS JOIN sources AS s "
        "ON s.session = asked.value ->> 0 AND s.turn = asked.value ->> 1 "
        "CROSS JOIN memories AS m ON m.id = s.memory WHERE m.status = 'active'",
        json.dumps(list(turns)),
    )
    return {id for (id,) in found}


def search(c: apsw.Connection, words: str, k: int) -> list[tuple[int, float]]:
    """`(id, BM25)` of active memories that hold any of the words, best first."""
    return text_index.ranked(c, "memory_index", words, k)


def quotes(c: apsw.Connection, limit: int) -> list[str]:
    """The words that memories of any status rest on, the newest first."""
    sql = "SELECT quote FROM sources GROUP BY quote ORDER BY max(rowid) DESC LIMIT ?"
    return [quote for (quote,) in rows(c, sql, limit)]


def for_good(c: apsw.Connection) -> list[Memory]:
    """Active memories that never fade, newest first: of kind `health` and `profile` (birthdays)."""
    sql = (
        memory_rows.SELECT
        + "WHERE status = 'active' AND kind IN ('health', 'profile') ORDER BY id DESC"
    )
    return memory_rows.read(c, rows(c, sql))


def of_days(c: apsw.Connection, first: date, last: date) -> list[int]:
    """Active memories that were told on these days, or are about them, oldest first."""
    found = rows(
        c,
        "SELECT id FROM memories WHERE status = 'active' AND (substr(created, 1, 10) BETWEEN ?1 "
        "AND ?2 OR (substr(event_time, 1, 10) <= ?2 AND substr(event_time, -10) >= ?1)) "
        "ORDER BY id",
        first.isoformat(),
        last.isoformat(),
    )
    return [id for (id,) in found]


def touch(c: apsw.Connection, ids: Iterable[int], now: datetime) -> None:
    """Count a retrieval: S += 1, last use = now (paper section 4.4)."""
    ids, lived_s = list(ids), lived.now(c)
    uses.note(c, ids)
    c.executemany(
        "UPDATE memories SET strength = strength + 1, last_used = ?, last_used_lived_s = ? "
        "WHERE id = ?",
        [(now.isoformat(), lived_s, id) for id in ids],
    )


def supersede(c: apsw.Connection, old: int, new: int) -> None:
    """Let `new` take the place of active `old`, which stays, hidden, with a link to it."""
    if _status(c, new) != "active" or old == new:
        raise StoreError(f"memory {new} cannot take the place of memory {old}")
    _hide(c, old)
    c.execute(
        "UPDATE memories SET status = 'superseded', superseded_by = ? WHERE id = ?", (new, old)
    )


def undo_supersede(c: apsw.Connection, old: int) -> None:
    """Make a superseded memory active again, and as if used just now: nobody could use it while
    it was hidden. Its successor stays as it is."""
    _expect(c, old, "superseded")
    _activate(c, old)


def archive(c: apsw.Connection, id: int) -> None:
    """Put a faded active memory aside."""
    _hide(c, id)
    c.execute(
        "UPDATE memories SET status = 'archived', archived_lived_s = ? WHERE id = ?",
        (lived.now(c), id),
    )


def restore(c: apsw.Connection, id: int) -> None:
    """Take a memory out of the archive: active, and as if used just now (else it would fade
    again at once)."""
    _expect(c, id, "archived")
    _activate(c, id)


def _activate(c: apsw.Connection, id: int) -> None:
    c.execute(
        "UPDATE memories SET status = 'active', superseded_by = NULL, archived_lived_s = NULL, "
        "last_used_lived_s = ? WHERE id = ?",
        (lived.now(c), id),
    )
    text_index.put(c, "memory_index", id)


def archived_days(c: apsw.Connection, id: int) -> float:
    """Lived days that a memory has been in the archive."""
    _expect(c, id, "archived")
    since = c.execute("SELECT archived_lived_s FROM memories WHERE id = ?", (id,)).get
    return float(lived.now(c) - since) / lived.DAY_S


def pin(c: apsw.Connection, id: int, on: bool) -> None:
    """A parent asks to keep it, or no longer."""
    _expect(c, id, "active", "superseded", "archived")
    c.execute("UPDATE memories SET pinned = ? WHERE id = ?", (int(on), id))


def remove(c: apsw.Connection, id: int) -> list[int]:
    """Delete a memory and those it superseded, with sources, vectors and index entries.

    Returns the ids that went; the older ones must not come back when their successor goes.
    `companion.store.erase` also sweeps the bytes.
    """
    found = rows(
        c,
        "WITH RECURSIVE chain (id) AS (SELECT id FROM memories WHERE id = ? UNION "
        "SELECT m.id FROM memories AS m JOIN chain ON m.superseded_by = chain.id) "
        "SELECT id FROM chain ORDER BY id",
        id,
    )
    chain = [each for (each,) in found]
    for each in chain:
        if _status(c, each) == "active":
            _hide(c, each)
    c.execute("PRAGMA defer_foreign_keys = ON")  # the links within the chain
    c.executemany("DELETE FROM memories WHERE id = ?", [(each,) for each in chain])
    return chain


def unembedded_memories(c: apsw.Connection, embedder: str, limit: int) -> list[Memory]:
    """Active memories without a vector or tokens of this embedder, oldest first."""
    found = rows(
        c,
        memory_rows.SELECT
        + "WHERE status = 'active' AND NOT EXISTS (SELECT 1 FROM memory_vectors AS v "
        "JOIN memory_tokens AS k ON k.id = v.id AND k.embedder = v.embedder "
        "JOIN embedders AS e ON e.id = v.embedder WHERE v.id = memories.id AND e.name = ?) "
        "ORDER BY id LIMIT ?",
        embedder,
        limit,
    )
    return memory_rows.read(c, found)


def put_vector(
    c: apsw.Connection, id: int, embedder: str, vector: Vector, tokens: Bits | None = None
) -> None:
    """Store the memory's vector, and its tokens, in place of any it had; nothing when it is gone
    meanwhile. tokens: None leaves them for the night."""
    if _status(c, id) is None:
        return
    vectors.put(c, "memory_vectors", id, embedder, vector)
    if tokens is not None:
        token_bits.put_memory(c, id, embedder, tokens)


def _hide(c: apsw.Connection, id: int) -> None:
    """An active memory is about to be active no longer."""
    _expect(c, id, "active")
    text_index.drop(c, "memory_index", id)


def _status(c: apsw.Connection, id: int) -> str | None:
    status: str | None = c.execute("SELECT status FROM memories WHERE id = ?", (id,)).get
    return status


def _expect(c: apsw.Connection, id: int, *allowed: str) -> None:
    status = _status(c, id)
    if status is None:
        raise StoreError(f"there is no memory {id}")
    if status not in allowed:
        raise StoreError(f"memory {id} is {status}, not {' or '.join(allowed)}")
