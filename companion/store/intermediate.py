"""What consolidation has worked out so far, on its way to memories and profile.

A draft lives from the turn it was read in until it has become a memory (or part of one), then its
row goes; chunks and evidence stay with their session. Erasing a turn or a session takes all of
this with it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import apsw

from companion.records import BigFive, Source

SCHEMA = """
CREATE TABLE chunks (
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  first_turn INTEGER NOT NULL,
  last_turn INTEGER NOT NULL,
  summary TEXT,                     -- of the session before this chunk; '' for the first
  profiled INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE drafted_turns (
  session TEXT NOT NULL,
  turn INTEGER NOT NULL,
  PRIMARY KEY (session, turn),
  FOREIGN KEY (session, turn) REFERENCES turns (session, number) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE drafts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL,
  turn INTEGER NOT NULL,
  text TEXT NOT NULL,
  kind TEXT NOT NULL,
  quote TEXT NOT NULL,
  event_time TEXT,
  merged INTEGER NOT NULL DEFAULT 0,
  same_as INTEGER REFERENCES drafts (id) ON DELETE CASCADE,
  FOREIGN KEY (session, turn) REFERENCES turns (session, number) ON DELETE CASCADE
) STRICT;
CREATE INDEX drafts_by_session ON drafts (session, merged);

CREATE TABLE evidence (
  session TEXT NOT NULL,
  chunk INTEGER NOT NULL,
  time TEXT NOT NULL,
  weight REAL NOT NULL CHECK (weight > 0),
  summary TEXT,
  big_five TEXT NOT NULL,           -- JSON object of numbers or nulls
  examples TEXT NOT NULL,           -- JSON list of strings
  PRIMARY KEY (session, chunk),
  FOREIGN KEY (session, chunk) REFERENCES chunks (session, number) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
"""

_CHUNK = "SELECT session, number, first_turn, last_turn, summary FROM chunks "
_DRAFT = "SELECT id, text, kind, session, turn, quote, event_time FROM drafts "


@dataclass(frozen=True)
class Chunk:
    """Some turns of a session that are consolidated together (paper section 4.3)."""

    session: str
    number: int
    """From 1."""

    first_turn: int
    last_turn: int
    """Included."""

    summary: str | None
    """Of the session before this chunk: "" for the first, None while it is not written yet."""


@dataclass(frozen=True)
class Draft:
    """A grounded fact on its way to become a memory."""

    id: int
    """0 until it is stored."""

    text: str
    kind: str
    source: Source
    event_time: str | None = None


@dataclass(frozen=True)
class Evidence:
    """What one chunk says about the personality."""

    session: str
    chunk: int
    time: datetime
    weight: float
    """Words of the user that it rests on."""

    summary: str | None
    big_five: BigFive
    examples: tuple[str, ...]
    """The user's own words."""


def add_chunks(c: apsw.Connection, session: str, cuts: Sequence[tuple[int, int]]) -> None:
    """Add chunks `(first turn, last turn)` after those that the session has."""
    held = c.execute("SELECT count(*) FROM chunks WHERE session = ?", (session,)).get
    c.executemany(
        "INSERT INTO chunks (session, number, first_turn, last_turn, summary) "
        "VALUES (?, ?, ?, ?, ?)",
        [
            (session, number, first, last, "" if number == 1 else None)
            for number, (first, last) in enumerate(cuts, start=held + 1)
        ],
    )


def chunk(c: apsw.Connection, session: str, number: int) -> Chunk | None:
    """One chunk by its number."""
    row = c.execute(_CHUNK + "WHERE session = ? AND number = ?", (session, number)).fetchone()
    return Chunk(*row) if row else None


def chunk_of(c: apsw.Connection, session: str, turn: int) -> Chunk | None:
    """The chunk that holds a turn."""
    row = c.execute(
        _CHUNK + "WHERE session = ? AND ? BETWEEN first_turn AND last_turn", (session, turn)
    ).fetchone()
    return Chunk(*row) if row else None


def put_summary(c: apsw.Connection, session: str, number: int, summary: str) -> None:
    """Store what was said in the session before this chunk."""
    c.execute(
        "UPDATE chunks SET summary = ? WHERE session = ? AND number = ?",
        (summary, session, number),
    )


def put_drafts(c: apsw.Connection, session: str, turn: int, drafts: Sequence[Draft]) -> None:
    """Mark a turn as read, and store what it said."""
    c.execute("INSERT INTO drafted_turns (session, turn) VALUES (?, ?)", (session, turn))
    c.executemany(
        "INSERT INTO drafts (session, turn, text, kind, quote, event_time) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [(session, turn, d.text, d.kind, d.source.quote, d.event_time) for d in drafts],
    )


def drafts_of(c: apsw.Connection, session: str) -> list[Draft]:
    """The session's drafts that stand for themselves, oldest first."""
    rows = c.execute(_DRAFT + "WHERE session = ? AND same_as IS NULL ORDER BY id", (session,))
    return [_draft(row) for row in rows]


def put_merged(c: apsw.Connection, session: str, same: Sequence[tuple[int, int]]) -> None:
    """Mark the session's drafts as compared; `same`: pairs (draft, the draft that says it)."""
    c.execute("UPDATE drafts SET merged = 1 WHERE session = ?", (session,))
    c.executemany("UPDATE drafts SET same_as = ? WHERE id = ?", [(kept, d) for d, kept in same])


def draft(c: apsw.Connection, id: int) -> Draft | None:
    """One draft."""
    row = c.execute(_DRAFT + "WHERE id = ?", (id,)).fetchone()
    return _draft(row) if row else None


def draft_sources(c: apsw.Connection, id: int) -> list[Source]:
    """Where a draft and those that say the same come from, oldest first."""
    rows = c.execute(
        "SELECT session, turn, quote FROM drafts WHERE id = ? OR same_as = ? ORDER BY id", (id, id)
    )
    return [Source(*row) for row in rows]


def settle(c: apsw.Connection, id: int) -> None:
    """The draft (with those that say the same) has become a memory, or part of one."""
    c.execute("DELETE FROM drafts WHERE id = ?", (id,))


def put_evidence(c: apsw.Connection, session: str, number: int, evidence: Evidence | None) -> None:
    """Mark a chunk as read, and store its evidence; None: it says nothing."""
    c.execute("UPDATE chunks SET profiled = 1 WHERE session = ? AND number = ?", (session, number))
    if evidence is not None:
        c.execute(
            "INSERT INTO evidence (session, chunk, time, weight, summary, big_five, examples) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                session,
                number,
                evidence.time.isoformat(),
                evidence.weight,
                evidence.summary,
                json.dumps(asdict(evidence.big_five)),
                json.dumps(evidence.examples),
            ),
        )


def evidence(c: apsw.Connection) -> list[Evidence]:
    """All evidence that has not been erased, oldest first."""
    rows = c.execute(
        "SELECT e.session, e.chunk, e.time, e.weight, e.summary, e.big_five, e.examples "
        "FROM evidence AS e JOIN sessions AS s ON s.id = e.session ORDER BY s.number, e.chunk"
    )
    return [
        Evidence(
            session,
            number,
            datetime.fromisoformat(time),
            weight,
            summary,
            BigFive(**json.loads(big_five)),
            tuple(json.loads(examples)),
        )
        for session, number, time, weight, summary, big_five, examples in rows
    ]


def _draft(row: tuple[Any, ...]) -> Draft:
    id, text, kind, session, turn, quote, event_time = row
    return Draft(id, text, kind, Source(session, turn, quote), event_time)
