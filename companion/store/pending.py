"""What consolidation has still to do, as queries.

There is no job table: a unit of work is pending while its result (`companion.store.intermediate`)
is missing.

Parked units are those whose step failed after all retries. They are tried again on later runs,
until they have been parked `nights` times; then the work goes on without them.
"""

from __future__ import annotations

import apsw

from companion.store.connection import rows

SCHEMA = """
CREATE TABLE parked (
  step TEXT NOT NULL,
  session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  nights INTEGER NOT NULL,
  PRIMARY KEY (step, session, number)
) STRICT, WITHOUT ROWID;
"""

Unit = tuple[str, int]
"""What a step works on: a session, and a turn, chunk or draft number (0: the session itself)."""

_OPEN_CHUNKS = (
    "SELECT k.session, k.number FROM chunks AS k JOIN sessions AS s ON s.id = k.session "
    "WHERE s.consolidated_at IS NULL AND {} ORDER BY s.number, k.number"
)


def unchunked(c: apsw.Connection) -> list[Unit]:
    """Ended sessions with turns in no chunk yet, each with the first such turn."""
    return rows(
        c,
        "SELECT id, last + 1 FROM (SELECT number, id, ended, consolidated_at, turns, "
        " (SELECT coalesce(max(last_turn), 0) FROM chunks WHERE session = sessions.id) AS last "
        " FROM sessions) WHERE ended IS NOT NULL AND consolidated_at IS NULL AND turns > last "
        "ORDER BY number",
    )


def unsummarized(c: apsw.Connection) -> list[Unit]:
    """Chunks before which nothing has been summarized yet, in order."""
    return rows(c, _OPEN_CHUNKS.format("k.summary IS NULL"))


def undrafted(c: apsw.Connection) -> list[Unit]:
    """Turns in chunks that have not been read for facts, in order; none that a guard stopped."""
    return rows(
        c,
        "SELECT t.session, t.number FROM turns AS t JOIN sessions AS s ON s.id = t.session "
        "JOIN chunks AS k ON k.session = s.id "
        "WHERE t.number BETWEEN k.first_turn AND k.last_turn AND s.consolidated_at IS NULL "
        "AND t.stopped IS NULL "
        "AND NOT EXISTS (SELECT 1 FROM drafted_turns AS d "
        " WHERE d.session = t.session AND d.turn = t.number) ORDER BY s.number, t.number",
    )


def unmerged(c: apsw.Connection) -> list[Unit]:
    """Sessions with drafts that have not been compared with each other; number 0."""
    return rows(
        c,
        "SELECT id, 0 FROM sessions WHERE EXISTS (SELECT 1 FROM drafts "
        "WHERE session = sessions.id AND merged = 0) ORDER BY number",
    )


def unrefined(c: apsw.Connection) -> list[Unit]:
    """Merged drafts that are not memories yet: session and draft id."""
    sql = "SELECT session, id FROM drafts WHERE merged = 1 AND same_as IS NULL ORDER BY id"
    return rows(c, sql)


def unprofiled(c: apsw.Connection) -> list[Unit]:
    """Chunks whose evidence of the personality has not been taken, in order."""
    return rows(c, _OPEN_CHUNKS.format("k.profiled = 0"))


def unfinished(c: apsw.Connection) -> list[Unit]:
    """Ended sessions that are not consolidated, number 0, whatever is left to do for them."""
    return rows(
        c,
        "SELECT id, 0 FROM sessions WHERE ended IS NOT NULL AND consolidated_at IS NULL "
        "ORDER BY number",
    )


def park(c: apsw.Connection, step: str, unit: Unit) -> None:
    """Note that a step has failed on a unit, after all retries, on one more night."""
    c.execute(
        "INSERT INTO parked (step, session, number, nights) VALUES (?, ?, ?, 1) "
        "ON CONFLICT DO UPDATE SET nights = nights + 1",
        (step, *unit),
    )


def given_up(c: apsw.Connection, step: str, nights: int) -> set[Unit]:
    """Units that a step has been parked on at least `nights` times."""
    sql = "SELECT session, number FROM parked WHERE step = ? AND nights >= ?"
    return set(rows(c, sql, step, nights))
