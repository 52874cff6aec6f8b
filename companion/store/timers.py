"""Timers, alarms and reminders, as they are kept until they have rung."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import apsw

from companion.store.connection import rows

TimerKind = Literal["timer", "alarm", "reminder"]

SCHEMA = """
CREATE TABLE timers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('timer', 'alarm', 'reminder')),
  label TEXT NOT NULL,              -- what it is called, or what it reminds of; '' for nothing
  seconds REAL,                     -- how long it was to run; NULL: it waits for a time of day
  due REAL,                         -- seconds since 1970; NULL: the clock was not trusted
  at TEXT,                          -- local date and time without an offset, for a time of day
  session TEXT NOT NULL,            -- the turn in which it was asked for
  turn INTEGER NOT NULL,
  CHECK ((seconds IS NULL) <> (at IS NULL))
) STRICT;
"""


@dataclass(frozen=True)
class Timer:
    """One timer, alarm or reminder."""

    id: int
    """0 while it is not kept yet."""

    kind: TimerKind
    label: str
    seconds: float | None
    """How long it was to run; None when it waits for a time of day."""

    due: float | None
    """Seconds since 1970; None when it waits for a time of day, or the clock was not trusted."""

    at: str | None
    """Local date and time without an offset ("2026-11-23T07:00"): it rings when a clock on the
    wall shows it, whatever summer time does meanwhile."""

    session: str
    turn: int


def add(c: apsw.Connection, timer: Timer) -> int:
    """Keep it. Returns its id, which is never given twice."""
    c.execute(
        "INSERT INTO timers (kind, label, seconds, due, at, session, turn) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            timer.kind,
            timer.label,
            timer.seconds,
            timer.due,
            timer.at,
            timer.session,
            timer.turn,
        ),
    )
    return c.last_insert_rowid()


def all_timers(c: apsw.Connection) -> list[Timer]:
    """Every one that has not rung, in the order in which they were asked for."""
    found = rows(
        c, "SELECT id, kind, label, seconds, due, at, session, turn FROM timers ORDER BY id"
    )
    return [Timer(*row) for row in found]


def remove(c: apsw.Connection, id: int) -> None:
    """It has rung, or was cancelled."""
    c.execute("DELETE FROM timers WHERE id = ?", (id,))
