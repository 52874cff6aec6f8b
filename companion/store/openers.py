"""What the first reply of a talk may take up: written by the night, said once, on the days it fits.

An opener hangs on its memory and goes with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

import apsw

from companion.store import memories
from companion.store.connection import rows

SCHEMA = """
CREATE TABLE openers (
  id INTEGER PRIMARY KEY,
  memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  day TEXT NOT NULL,       -- the first day on which it may be said, and the last
  until TEXT NOT NULL,
  about TEXT NOT NULL,     -- a word that tells that the matter has come up since
  text TEXT NOT NULL,      -- '': there is nothing to say of this memory
  used TEXT                -- when it was said
) STRICT;
CREATE INDEX openers_by_memory ON openers (memory);
"""


@dataclass(frozen=True)
class Opener:
    """One sentence or two, and when they may be said."""

    day: date
    until: date
    about: str
    text: str
    id: int = 0


def unopened(c: apsw.Connection, today: date, limit: int) -> list[int]:
    """Active memories with a day that is not long over, which no night has looked at."""
    found = rows(
        c,
        "SELECT id FROM memories AS m WHERE status = 'active' AND kind <> 'health' "
        "AND date(substr(event_time, -10), '+3 days') >= ? "
        "AND NOT EXISTS (SELECT 1 FROM openers WHERE memory = m.id) ORDER BY id LIMIT ?",
        today.isoformat(),
        limit,
    )
    return [id for (id,) in found]


def put(c: apsw.Connection, memory: int, openers: Iterable[Opener]) -> None:
    """Note what may be said of a memory; that there is nothing, too."""
    if memories.get(c, memory) is None:
        return
    for each in list(openers) or [Opener(date.min, date.min, "", "")]:
        c.execute(
            "INSERT INTO openers (memory, day, until, about, text) VALUES (?, ?, ?, ?, ?)",
            (memory, each.day.isoformat(), each.until.isoformat(), each.about, each.text),
        )


def next_due(c: apsw.Connection, today: date) -> Opener | None:
    """What may be said today of something that has not come up since, nor was put off or called
    off, the latest day first."""
    found = rows(
        c,
        "SELECT o.id, o.memory, o.day, o.until, o.about, o.text, substr(m.event_time, 1, 10) "
        "FROM openers AS o JOIN memories AS m ON m.id = o.memory "
        "WHERE m.status = 'active' AND o.used IS NULL AND o.text <> '' "
        "AND NOT EXISTS (SELECT 1 FROM follow_ups WHERE memory = m.id AND moved) "
        "AND ? BETWEEN o.day AND o.until ORDER BY o.day DESC, o.id DESC",
        today.isoformat(),
    )
    for id, memory, day, until, about, text, event in found:
        if not _came_up(c, memory, about, min(event, day)):
            return Opener(date.fromisoformat(day), date.fromisoformat(until), about, text, id)
    return None


def _came_up(c: apsw.Connection, memory: int, about: str, since: str) -> bool:
    """Whether the person has spoken of it on this day or later, besides telling of it at all."""
    sql = (
        "SELECT EXISTS (SELECT 1 FROM messages AS s WHERE role = 'user' "
        "AND substr(time, 1, 10) >= ? AND instr(lower(text), ?) AND NOT EXISTS "
        "(SELECT 1 FROM sources WHERE memory = ? AND session = s.session AND turn = s.turn))"
    )
    return bool(c.execute(sql, (since, about, memory)).get)


def use(c: apsw.Connection, id: int, now: datetime) -> None:
    """Note that it was said, and with it whatever other memories have to say of the same."""
    c.execute(
        "UPDATE openers SET used = ? FROM (SELECT about, day FROM openers WHERE id = ?) AS said "
        "WHERE openers.used IS NULL AND openers.about = said.about "
        "AND abs(julianday(openers.day) - julianday(said.day)) < 2",
        (now.isoformat(), id),
    )


def expire(c: apsw.Connection, today: date) -> None:
    """Drop what can no longer be said."""
    c.execute("DELETE FROM openers WHERE text <> '' AND until < ?", (today.isoformat(),))


def drop(c: apsw.Connection, session: str, first: int, last: int) -> None:
    """Drop what may have been made of these turns, by a memory that cites them or the turn after,
    which may have answered when it is; the next night looks again."""
    c.execute(
        "DELETE FROM openers WHERE memory IN "
        "(SELECT memory FROM sources WHERE session = ? AND turn BETWEEN ? AND ?)",
        (session, first, last + 1),
    )
