"""What a parent has put right: a memory that was told by a parent, in place of another.

It supersedes the other one and keeps its sources. What it replaced stays as long as it does, so
that it can be recognised when it is said again: the words of a parent stand until a parent changes
them (see `companion.store.questions`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import apsw

from companion.errors import InputError
from companion.store import memories, questions
from companion.store.connection import rows

SCHEMA = """
CREATE TABLE corrections (
  memory INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,  -- told by a parent
  time TEXT NOT NULL,
  before INTEGER REFERENCES memories (id) ON DELETE SET NULL              -- what it put right
) STRICT;
CREATE INDEX corrections_by_before ON corrections (before);
"""

_STANDING = """
WITH RECURSIVE replaced (id, told) AS (
  SELECT m.id, k.memory FROM corrections AS k
    JOIN memories AS told ON told.id = k.memory AND told.status <> 'superseded'
    JOIN memories AS m ON m.superseded_by = k.memory
  UNION
  SELECT m.id, replaced.told FROM memories AS m JOIN replaced ON m.superseded_by = replaced.id
)
"""
"""`replaced`: every memory that a parent's stands in place of, directly or not, and that one."""


@dataclass(frozen=True)
class Correction:
    """How a memory came to be told by a parent."""

    memory: int
    time: datetime
    before: int | None
    """The memory that it put right; None when that one was erased."""

    before_text: str | None


def correct(
    c: apsw.Connection, id: int, text: str, now: datetime, *, event_time: str | None
) -> int:
    """Let `text` take the place of an active memory, and return the new one's id. It keeps
    sources, kind, day of telling, strength, and whether it is kept; its vector comes later.

    Raises InputError when there is no such memory, or it is no longer active.
    """
    old = memories.get(c, id)
    if old is None:
        raise InputError(f"there is no memory {id}; `companion memories list` shows them")
    if old.status == "superseded":
        raise InputError(
            f"memory {id} was replaced by memory {old.superseded_by}: correct that one"
        )
    if old.status == "archived":
        raise InputError(f"memory {id} has faded: bring it back first (companion memories keep)")
    new = memories.add(
        c,
        text,
        kind=old.kind,
        sources=old.sources,
        vector=None,
        embedder="",
        now=now,
        event_time=event_time,
        said=old.created,
    )
    c.execute(
        "UPDATE memories SET (strength, unit_days, sorted, pinned) = "
        "(SELECT strength, unit_days, sorted, pinned FROM memories WHERE id = ?) WHERE id = ?",
        (id, new),
    )
    c.execute("INSERT INTO uses SELECT ?, lived_s FROM uses WHERE memory = ?", (new, id))
    memories.supersede(c, id, new)
    c.execute(
        "INSERT INTO corrections (memory, time, before) VALUES (?, ?, ?)",
        (new, now.isoformat(), id),
    )
    questions.move(c, id, new, now)
    return new


def of_memories(c: apsw.Connection, ids: Iterable[int]) -> dict[int, Correction]:
    """Of those of these memories that were told by a parent, how that came, by id."""
    found = rows(
        c,
        "SELECT k.memory, k.time, k.before, old.text FROM corrections AS k "
        "LEFT JOIN memories AS old ON old.id = k.before "
        "WHERE k.memory IN (SELECT value FROM json_each(?)) ORDER BY k.memory",
        json.dumps(list(ids)),
    )
    return {
        memory: Correction(memory, datetime.fromisoformat(time), before, text)
        for memory, time, before, text in found
    }


def all_corrections(c: apsw.Connection) -> list[Correction]:
    """Every one, oldest first."""
    ids = [id for (id,) in rows(c, "SELECT memory FROM corrections")]
    return list(of_memories(c, ids).values())


def replaced(c: apsw.Connection) -> dict[int, int]:
    """Every memory that a parent's stands in place of, and that one."""
    return dict(rows(c, _STANDING + "SELECT id, told FROM replaced"))


def told_in_place_of(c: apsw.Connection, id: int) -> int | None:
    """The memory told by a parent that is this one, or stands in its place; None when there is
    none."""
    own = c.execute(
        "SELECT 1 FROM corrections AS k JOIN memories AS m ON m.id = k.memory "
        "WHERE k.memory = ? AND m.status <> 'superseded'",
        (id,),
    ).get
    found: int | None = id if own else replaced(c).get(id)
    return found


def turns(c: apsw.Connection) -> dict[tuple[str, int], int]:
    """The turns whose words a parent has put right, by session and number, and the memory that
    stands in their place."""
    found = rows(
        c,
        _STANDING + "SELECT s.session, s.turn, r.told FROM replaced AS r "
        "JOIN memories AS m ON m.id = r.told AND m.status = 'active' "
        "JOIN sources AS s ON s.memory = r.id "
        "UNION SELECT q.session, q.turn, q.memory FROM questions AS q "
        "JOIN memories AS m ON m.id = q.memory AND m.status = 'active'",
    )
    return {(session, turn): told for session, turn, told in found}
