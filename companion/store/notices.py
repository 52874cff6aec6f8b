"""Notices for parents: that a turn was stopped, when, and what it was about; never its words.

A notice outlives the raw turn's expiry, for a parent may look late; erasing the turn or session
takes it along.
"""

from __future__ import annotations

from datetime import datetime

import apsw

from companion.records import Notice
from companion.store import log
from companion.store.connection import rows

SCHEMA = """
ALTER TABLE turns ADD COLUMN stopped TEXT;  -- the topic for which a guard stopped it

CREATE TABLE notices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  time TEXT NOT NULL,
  topic TEXT NOT NULL,
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  turn INTEGER NOT NULL
) STRICT;
CREATE INDEX notices_by_turn ON notices (session, turn);
"""

APART = """
CREATE TABLE new_notices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  time TEXT NOT NULL,
  topic TEXT NOT NULL,
  session TEXT REFERENCES sessions (id) ON DELETE CASCADE,  -- NULL: it is about no turn
  turn INTEGER NOT NULL
) STRICT;
INSERT INTO new_notices SELECT id, time, topic, session, turn FROM notices;
DROP TABLE notices;
ALTER TABLE new_notices RENAME TO notices;
CREATE INDEX notices_by_turn ON notices (session, turn);
"""


def add(c: apsw.Connection, topic: str, session: str, turn: int, time: datetime) -> None:
    """Tell the parent of one turn."""
    c.execute(
        "INSERT INTO notices (time, topic, session, turn) VALUES (?, ?, ?, ?)",
        (time.isoformat(), topic, session, turn),
    )


def add_apart(c: apsw.Connection, topic: str, time: datetime) -> None:
    """Tell the parent of something that was no turn."""
    c.execute(
        "INSERT INTO notices (time, topic, session, turn) VALUES (?, ?, NULL, 0)",
        (time.isoformat(), topic),
    )


def mark(c: apsw.Connection, topic: str, session: str, turn: int, *, tell: datetime | None) -> None:
    """A guard stopped this turn: nothing is made of it. tell: when, to tell the parent; or None."""
    log.mark_stopped(c, session, turn, topic)
    if tell is not None:
        add(c, topic, session, turn, tell)


def all_notices(c: apsw.Connection) -> list[Notice]:
    """Every notice that was not cleared, oldest first; session "" for what was no turn."""
    found = rows(c, "SELECT id, time, topic, coalesce(session, ''), turn FROM notices ORDER BY id")
    return [
        Notice(id, datetime.fromisoformat(time), topic, session, turn)
        for id, time, topic, session, turn in found
    ]


def clear(c: apsw.Connection) -> None:
    """The parent has seen them."""
    c.execute("DELETE FROM notices")
