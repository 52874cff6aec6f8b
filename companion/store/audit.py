"""What was done from the parents' page, when and how much of it; never the content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

import apsw

from companion.errors import InputError
from companion.store.connection import rows

SCHEMA = """
CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  time TEXT NOT NULL,
  what TEXT NOT NULL,
  count INTEGER NOT NULL
) STRICT;
"""

MOST = 1_000
"""Entries that are kept; the oldest go."""

NAME = re.compile(r"[a-z][a-z_. -]{0,39}")


@dataclass(frozen=True)
class Entry:
    """One thing that was done."""

    time: datetime
    what: str
    """The name of a request: "erase", "correct"."""

    count: int


def add(c: apsw.Connection, what: str, count: int, time: datetime) -> None:
    """Note that something was done. Raises InputError for what is no name of a request: words have
    no place here."""
    if not NAME.fullmatch(what):
        raise InputError("the audit list holds names of requests, in small letters; no words")
    c.execute(
        "INSERT INTO audit (time, what, count) VALUES (?, ?, ?)", (time.isoformat(), what, count)
    )
    c.execute("DELETE FROM audit WHERE id <= (SELECT max(id) FROM audit) - ?", (MOST,))


def entries(c: apsw.Connection) -> list[Entry]:
    """All of them, newest first."""
    found = rows(c, "SELECT time, what, count FROM audit ORDER BY id DESC")
    return [Entry(datetime.fromisoformat(time), what, count) for time, what, count in found]
