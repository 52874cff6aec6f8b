"""Finding past turns: by meaning (vectors), by words (BM25), by date.

Turns are named by `(session, number)`. A turn's text for both kinds of search is `turn_text`:
who spoke, and the date spelled out, so that a question about "Friday" or "28 April" matches.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date, datetime, timezone
from itertools import islice
from typing import Literal

import apsw
import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.records import Turn
from companion.store import history, text_index, token_bits, vectors
from companion.store.connection import rows
from companion.store.token_bits import Bits, TurnTokens
from companion.store.vectors import Table, Vector

Vectors = NDArray[np.float32]
Side = Literal["turn", "query"]
"""A whole turn, or the person's words alone."""

_TABLES: dict[Side, Table] = {"turn": "turn_vectors", "query": "query_vectors"}


def turn_text(turn: Turn) -> str:
    """What is indexed and embedded of a turn: date, speakers, words. Equals the SQL view."""
    said = f" you: {turn.user.text}" if turn.user else ""
    reply = f" companion: {turn.reply.text}" if turn.reply else ""
    return language.dates.spelled_day(turn.time) + said + reply


def turn_tokens(turn: Turn, tokens: Vectors, spans: NDArray[np.int64]) -> TurnTokens:
    """The tokens of a turn's text by who said them, without those of the date and the speakers.

    tokens, spans: as an embedder gives them for `turn_text`, (tokens, dimension) and (tokens, 2).
    """
    end = len(turn_text(turn))
    replied = len(turn.reply.text) if turn.reply else 0
    said_end = end - (len(f" companion: {turn.reply.text}") if turn.reply else 0)
    said = len(turn.user.text) if turn.user else 0

    def within(first: int, last: int) -> Bits:
        return token_bits.signs(tokens[(spans[:, 0] >= first) & (spans[:, 1] <= last)])

    return TurnTokens(within(said_end - said, said_end), within(end - replied, end))


def unembedded_turns(c: apsw.Connection, embedder: str, limit: int) -> list[Turn]:
    """Turns without vectors or tokens of this embedder, oldest first; none that a guard stopped."""
    waiting = rows(
        c,
        "SELECT session, number FROM turns WHERE stopped IS NULL "
        "AND NOT EXISTS (SELECT 1 FROM turn_vectors AS v JOIN turn_tokens AS k "
        "ON k.id = v.id AND k.embedder = v.embedder "
        "JOIN embedders AS e ON e.id = v.embedder WHERE v.id = turns.id AND e.name = ?) "
        "ORDER BY id LIMIT ?",
        embedder,
        limit,
    )
    found = (history.turn(c, session, number) for session, number in waiting)
    return [turn for turn in found if turn is not None]


def put_turn_vectors(
    c: apsw.Connection,
    session: str,
    number: int,
    embedder: str,
    query_vector: Vector | None,
    turn_vector: Vector,
    tokens: TurnTokens | None = None,
) -> None:
    """Store a turn's vectors in place of any it had; nothing when the turn is gone meanwhile.

    query_vector: of the user's words alone; None when the companion spoke first.
    turn_vector: of the whole turn (`turn_text`). Both of shape (dimension,).
    tokens: of the whole turn; None leaves them for the night.
    """
    id = history.turn_id(c, session, number)
    if id is None:
        return
    vectors.put(c, "turn_vectors", id, embedder, turn_vector)
    if query_vector is not None:
        vectors.put(c, "query_vectors", id, embedder, query_vector)
    if tokens is not None:
        token_bits.put_turn(c, id, embedder, tokens)


def nearest_turns(
    c: apsw.Connection,
    vector: Vector,
    k: int,
    *,
    embedder: str,
    of: Side = "turn",
    session: str | None = None,
) -> list[tuple[str, int, float]]:
    """`(session, number, cosine)`, best first. `of`: compare whole turns, or the user's words.
    `session`: look in this one only."""
    if session is None:
        found = vectors.nearest(c, _TABLES[of], vector, k, embedder)
    else:
        ids = [id for (id,) in rows(c, "SELECT id FROM turns WHERE session = ?", session)]
        here = vectors.similarity(c, _TABLES[of], ids, vector, embedder)
        found = list(islice(here.items(), k))
    return _named(c, found)


def similarity(
    c: apsw.Connection,
    keys: Iterable[tuple[str, int]],
    vector: Vector,
    *,
    embedder: str,
    of: Side = "turn",
) -> dict[tuple[str, int], float]:
    """The cosine of each of these turns that has such a vector."""
    found = rows(
        c,
        "SELECT t.id, t.session, t.number FROM json_each(?) AS asked CROSS JOIN turns AS t "
        "ON t.session = asked.value ->> 0 AND t.number = asked.value ->> 1",
        json.dumps(list(keys)),
    )
    named = {id: (session, number) for id, session, number in found}
    near = vectors.similarity(c, _TABLES[of], named, vector, embedder)
    return {named[id]: cosine for id, cosine in near.items()}


def search_turns(c: apsw.Connection, words: str, k: int) -> list[tuple[str, int, float]]:
    """`(session, number, BM25)`, best first, of turns that hold any of the words."""
    read = k
    while True:
        found = text_index.ranked(c, "turn_index", words, read)
        named = _named(c, found)
        if len(named) >= k or len(found) < read:
            return named[:k]
        read *= 2  # among the best were turns that a guard stopped


def turns_on(c: apsw.Connection, first: date, last: date) -> list[tuple[str, int]]:
    """`(session, number)` of turns that began on these days, in order of time.

    A day is that of the clock on the wall where it was said: neither summer time nor a journey
    moves what was said late in the evening to another day.
    """
    found = rows(
        c,
        "SELECT t.session, t.number FROM turns AS t WHERE t.began >= ? AND t.began < ? "
        "AND t.stopped IS NULL AND (SELECT substr(m.time, 1, 10) FROM messages AS m "
        "WHERE m.session = t.session AND m.turn = t.number ORDER BY m.seq LIMIT 1) "
        "BETWEEN ? AND ? ORDER BY t.began, t.id",
        _midnight(first) - _WIDEST_OFFSET_S,
        _midnight(last) + _DAY_S + _WIDEST_OFFSET_S,
        first.isoformat(),
        last.isoformat(),
    )
    return [(session, number) for session, number in found]


_DAY_S = 86_400.0
_WIDEST_OFFSET_S = _DAY_S
"""More than any clock differs from UTC."""


def _midnight(day: date) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=timezone.utc).timestamp()


def _named(c: apsw.Connection, found: list[tuple[int, float]]) -> list[tuple[str, int, float]]:
    """Rows and their scores by the names of the turns; without those that a guard stopped."""
    turns = rows(
        c,
        "SELECT id, session, number FROM turns "
        "WHERE stopped IS NULL AND id IN (SELECT value FROM json_each(?))",
        json.dumps([id for id, _ in found]),
    )
    named = {id: (session, number) for id, session, number in turns}
    return [(*named[id], score) for id, score in found if id in named]
