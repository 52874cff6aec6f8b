"""Finding past turns: by meaning (vectors), by words (BM25), by date.

Turns are named by `(session, number)`. A turn's text for both kinds of search is `turn_text`:
who spoke, and the date spelled out, so that a question about "Friday" or "28 April" matches.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

import apsw

from companion.records import Turn
from companion.store import log, text_index, vectors
from companion.store.connection import rows
from companion.store.vectors import Vector


def turn_text(turn: Turn) -> str:
    """What is indexed and embedded of a turn: date, speakers, words. Equals the SQL view."""
    said = f" you: {turn.user.text}" if turn.user else ""
    reply = f" companion: {turn.reply.text}" if turn.reply else ""
    return log.spelled_day(turn.time) + said + reply


def unembedded_turns(c: apsw.Connection, embedder: str, limit: int) -> list[Turn]:
    """Turns without vectors of this embedder, oldest first; none that a guard stopped."""
    waiting = rows(
        c,
        "SELECT session, number FROM turns WHERE stopped IS NULL "
        "AND NOT EXISTS (SELECT 1 FROM turn_vectors AS v "
        "JOIN embedders AS e ON e.id = v.embedder WHERE v.id = turns.id AND e.name = ?) "
        "ORDER BY id LIMIT ?",
        embedder,
        limit,
    )
    found = (log.turn(c, session, number) for session, number in waiting)
    return [turn for turn in found if turn is not None]


def put_turn_vectors(
    c: apsw.Connection,
    session: str,
    number: int,
    embedder: str,
    query_vector: Vector | None,
    turn_vector: Vector,
) -> None:
    """Store a turn's vectors in place of any it had; nothing when the turn is gone meanwhile.

    query_vector: of the user's words alone; None when the companion spoke first.
    turn_vector: of the whole turn (`turn_text`). Both of shape (dimension,).
    """
    id = log.turn_id(c, session, number)
    if id is None:
        return
    vectors.put(c, "turn_vectors", id, embedder, turn_vector)
    if query_vector is not None:
        vectors.put(c, "query_vectors", id, embedder, query_vector)


def nearest_turns(
    c: apsw.Connection,
    vector: Vector,
    k: int,
    *,
    embedder: str,
    of: Literal["turn", "query"] = "turn",
    session: str | None = None,
    exclude_session: str | None = None,
) -> list[tuple[str, int, float]]:
    """`(session, number, cosine)`, best first. `of`: compare whole turns, or the user's words."""
    shown, params = _filter(session, exclude_session)
    hidden: int | None = None
    if session is None:
        sql = "SELECT count(*) FROM turns WHERE session = ?"
        hidden = c.execute(sql, (exclude_session,)).get
    found = vectors.nearest(
        c,
        "turn_vectors" if of == "turn" else "query_vectors",
        vector,
        k,
        embedder,
        shown=shown,
        params=params,
        hidden=hidden,
    )
    return [(*_name(c, id), score) for id, score in found]


def similarity(
    c: apsw.Connection,
    keys: Iterable[tuple[str, int]],
    vector: Vector,
    *,
    embedder: str,
    of: Literal["turn", "query"] = "turn",
) -> dict[tuple[str, int], float]:
    """The cosine of each of these turns that has such a vector."""
    named = {id: key for key in keys if (id := log.turn_id(c, *key)) is not None}
    table: vectors.Table = "turn_vectors" if of == "turn" else "query_vectors"
    found = vectors.similarity(c, table, named, vector, embedder)
    return {named[id]: cosine for id, cosine in found.items()}


def search_turns(
    c: apsw.Connection,
    words: str,
    k: int,
    *,
    session: str | None = None,
    exclude_session: str | None = None,
) -> list[tuple[str, int, float]]:
    """`(session, number, BM25)`, best first, of turns that hold any of the words."""
    match = text_index.match_any(c, "turn_index", words)
    if match is None:
        return []
    shown, params = _filter(session, exclude_session)
    found = rows(
        c,
        "SELECT o.session, o.number, -bm25(turn_index) "
        "FROM turn_index JOIN turns AS o ON o.id = turn_index.rowid "
        f"WHERE turn_index MATCH ? AND o.stopped IS NULL AND {shown} "
        "ORDER BY rank, turn_index.rowid LIMIT ?",
        match,
        *params,
        k,
    )
    return [(session, number, score) for session, number, score in found]


def turns_between(c: apsw.Connection, start: datetime, end: datetime) -> list[tuple[str, int]]:
    """`(session, number)` of turns that began in start <= time < end, in order of time."""
    found = rows(
        c,
        "SELECT session, number FROM turns WHERE began >= ? AND began < ? AND stopped IS NULL "
        "ORDER BY began, id",
        start.timestamp(),
        end.timestamp(),
    )
    return [(session, number) for session, number in found]


def _filter(session: str | None, exclude_session: str | None) -> tuple[str, tuple[str, ...]]:
    """A condition on the turn `o`, with its parameters."""
    if session is not None:
        return "o.session = ?", (session,)
    if exclude_session is not None:
        return "o.session <> ?", (exclude_session,)
    return "true", ()


def _name(c: apsw.Connection, id: int) -> tuple[str, int]:
    session, number = c.execute("SELECT session, number FROM turns WHERE id = ?", (id,)).get
    return session, number
