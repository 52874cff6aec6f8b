"""What was said later about a memory: what became of a plan, how many there are by now.

A memory keeps the few that go on with it most surely. As its sources do, they outlive their raw
turns, and go when their turn is erased.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import apsw

from companion.records import FollowUp
from companion.store.connection import rows
from companion.store.pending import Unit

SCHEMA = """
CREATE TABLE follow_ups (
  memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  session TEXT NOT NULL,
  turn INTEGER NOT NULL,
  text TEXT NOT NULL,
  said TEXT NOT NULL,
  score REAL NOT NULL,              -- log odds that it goes on with the memory
  moved INTEGER NOT NULL,           -- 1: it names another day, or calls off what was to come
  UNIQUE (memory, session, turn)
) STRICT;
CREATE INDEX follow_ups_by_turn ON follow_ups (session, turn);
-- 1: it has been compared with the memories of what was told before it.
ALTER TABLE turns ADD COLUMN followed INTEGER NOT NULL DEFAULT 0;
"""

MOST = 2
"""So many are kept of a memory."""


@dataclass(frozen=True)
class Found:
    """A follow-up of a memory, and how surely it is one."""

    memory: int
    follow_up: FollowUp
    score: float
    moved: bool = False
    """Whether it names another day than the memory, or calls off what was to come."""


def unfollowed(c: apsw.Connection, limit: int) -> list[Unit]:
    """Turns of ended sessions that have not been compared with memories, in order."""
    return rows(
        c,
        "SELECT t.session, t.number FROM turns AS t JOIN sessions AS s ON s.id = t.session "
        "WHERE t.followed = 0 AND s.ended IS NOT NULL ORDER BY s.number, t.number LIMIT ?",
        limit,
    )


def mark_followed(c: apsw.Connection, session: str, number: int) -> None:
    """The turn has been compared."""
    c.execute("UPDATE turns SET followed = 1 WHERE session = ? AND number = ?", (session, number))


def add(c: apsw.Connection, found: Iterable[Found]) -> None:
    """Keep these, and of each memory the surest `MOST`. One whose memory is gone is left out."""
    for each in found:
        if not rows(c, "SELECT 1 FROM memories WHERE id = ?", each.memory):
            continue
        later = each.follow_up
        c.execute(
            "INSERT OR REPLACE INTO follow_ups (memory, session, turn, text, said, score, moved) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                *(each.memory, later.session, later.turn),
                *(later.text, later.said.isoformat(), each.score, each.moved),
            ),
        )
        c.execute(
            "DELETE FROM follow_ups WHERE memory = ?1 AND rowid NOT IN (SELECT rowid FROM "
            "follow_ups WHERE memory = ?1 ORDER BY score DESC, rowid DESC LIMIT ?2)",
            (each.memory, MOST),
        )


def of(c: apsw.Connection, ids: Sequence[int]) -> dict[int, list[FollowUp]]:
    """Those of each of these memories that has any, in the order in which they were said."""
    found = rows(
        c,
        "SELECT f.memory, f.session, f.turn, f.text, f.said FROM follow_ups AS f "
        "LEFT JOIN sessions AS s ON s.id = f.session "
        "WHERE f.memory IN (SELECT value FROM json_each(?)) "
        "ORDER BY f.memory, s.number, f.turn",
        json.dumps(list(ids)),
    )
    held: dict[int, list[FollowUp]] = {}
    for memory, session, turn, text, said in found:
        later = FollowUp(session, turn, text, datetime.fromisoformat(said))
        held.setdefault(memory, []).append(later)
    return held


def clear(c: apsw.Connection, memory: int) -> None:
    """It was told once more: what was said before that goes on with it no longer."""
    c.execute("DELETE FROM follow_ups WHERE memory = ?", (memory,))


def hand_on(c: apsw.Connection, old: int, new: int) -> None:
    """A memory that holds a part of another's words goes on as that did."""
    c.execute(
        "INSERT OR IGNORE INTO follow_ups SELECT ?, session, turn, text, said, score, moved "
        "FROM follow_ups WHERE memory = ?",
        (new, old),
    )


def drop_turns(c: apsw.Connection, session: str, first: int, last: int) -> None:
    """Take what these turns said later about memories."""
    c.execute(
        "DELETE FROM follow_ups WHERE session = ? AND turn BETWEEN ? AND ?", (session, first, last)
    )


def drop_words_of(c: apsw.Connection, memory: int) -> None:
    """Take what the turns of a memory, which is to be erased, say about others."""
    c.execute(
        "DELETE FROM follow_ups WHERE EXISTS (SELECT 1 FROM sources AS s WHERE s.memory = ? "
        "AND s.session = follow_ups.session AND s.turn = follow_ups.turn)",
        (memory,),
    )
