"""The session log, read: sessions, and the turns in them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date, datetime
from typing import Any

import apsw

from companion.records import Message, Session, Turn
from companion.store.connection import rows

_TURN = (
    "SELECT seq, session, turn, role, text, time, confidence, cut, (SELECT stopped FROM turns "
    "WHERE turns.session = messages.session AND turns.number = messages.turn) FROM messages "
)
_SESSION = "SELECT id, started, ended, turns, consolidated_at IS NOT NULL FROM sessions "


def open_session(c: apsw.Connection) -> Session | None:
    """The session that has not ended, if there is one."""
    row = c.execute(_SESSION + "WHERE ended IS NULL").fetchone()
    return _session(row) if row else None


def sessions(c: apsw.Connection) -> list[Session]:
    """All sessions in order of arrival."""
    return [_session(row) for row in c.execute(_SESSION + "ORDER BY number")]


def session(c: apsw.Connection, id: str) -> Session | None:
    """One session, or None."""
    row = c.execute(_SESSION + "WHERE id = ?", (id,)).fetchone()
    return _session(row) if row else None


def turns(c: apsw.Connection, session: str) -> list[Turn]:
    """The session's turns, oldest first. Expired and erased ones are missing."""
    return _turns(c.execute(_TURN + "WHERE session = ? ORDER BY seq", (session,)))


def stopped_turns(c: apsw.Connection, session: str) -> dict[int, str]:
    """The session's turns that a guard stopped, with their topics."""
    return dict(
        rows(
            c,
            "SELECT number, stopped FROM turns WHERE session = ? AND stopped IS NOT NULL "
            "ORDER BY number",
            session,
        )
    )


def turn(c: apsw.Connection, session: str, number: int) -> Turn | None:
    """One turn, or None when it never was, has expired or was erased."""
    found = _turns(
        c.execute(_TURN + "WHERE session = ? AND turn = ? ORDER BY seq", (session, number))
    )
    return found[0] if found else None


def turns_named(c: apsw.Connection, keys: Iterable[tuple[str, int]]) -> dict[tuple[str, int], Turn]:
    """Those of these turns, by session and number, that there are; in the order they were said."""
    found = c.execute(
        "SELECT m.seq, m.session, m.turn, m.role, m.text, m.time, m.confidence, m.cut, t.stopped "
        "FROM json_each(?) AS asked "
        "CROSS JOIN turns AS t ON t.session = asked.value ->> 0 AND t.number = asked.value ->> 1 "
        "CROSS JOIN messages AS m ON m.session = t.session AND m.turn = t.number ORDER BY m.seq",
        (json.dumps(list(keys)),),
    )
    return {(turn.session, turn.number): turn for turn in _turns(found)}


def days_of_talk(c: apsw.Connection) -> list[date]:
    """The first and the last day on which a session began that is over; none when there is none.

    Whoever asks for "our last talk" means the one before this.
    """
    found = c.execute(
        "SELECT min(day), max(day) FROM (SELECT substr(started, 1, 10) AS day FROM sessions "
        "WHERE ended IS NOT NULL)"
    ).get
    return [date.fromisoformat(day) for day in found if day is not None]


def last_talk(c: apsw.Connection, but: str | None) -> datetime | None:
    """When the latest session ended, or began where that is not known; None when there is none.
    but: the running one, which does not count."""
    found: str | None = c.execute(
        "SELECT coalesce(ended, started) FROM sessions WHERE id IS NOT ? "
        "ORDER BY number DESC LIMIT 1",
        (but,),
    ).get
    return datetime.fromisoformat(found) if found else None


def said_since(c: apsw.Connection, since: datetime) -> list[tuple[datetime, str]]:
    """What the companion has said since then, with its time, oldest first; at most 5000 replies."""
    found = rows(
        c,
        "SELECT time, text FROM messages WHERE role = 'assistant' ORDER BY seq DESC LIMIT 5000",
    )
    told = [(datetime.fromisoformat(time), text) for time, text in reversed(found)]
    return [each for each in told if each[0] >= since]


def unanswered(c: apsw.Connection) -> list[Turn]:
    """Turns with words and no reply, in sessions that are not consolidated, oldest first; none
    that a guard stopped."""
    keys = rows(
        c,
        "SELECT t.session, t.number FROM turns AS t JOIN sessions AS s ON s.id = t.session "
        "WHERE s.consolidated_at IS NULL AND t.stopped IS NULL AND NOT EXISTS "
        "(SELECT 1 FROM messages AS m WHERE m.session = t.session AND m.turn = t.number "
        "AND m.role = 'assistant') ORDER BY s.number, t.number",
    )
    return [found for key in keys if (found := turn(c, *key)) is not None]


def turn_id(c: apsw.Connection, session: str, number: int) -> int | None:
    """The row id by which the indexes know a turn."""
    id: int | None = c.execute(
        "SELECT id FROM turns WHERE session = ? AND number = ?", (session, number)
    ).get
    return id


def _session(row: tuple[Any, ...]) -> Session:
    id, started, ended, turns, consolidated = row
    return Session(
        id,
        datetime.fromisoformat(started),
        datetime.fromisoformat(ended) if ended else None,
        turns,
        bool(consolidated),
    )


def _turns(rows: Iterable[tuple[Any, ...]]) -> list[Turn]:
    """Messages in order to turns in order."""
    found: dict[tuple[str, int], dict[str, Message]] = {}
    stopped: dict[tuple[str, int], str | None] = {}
    for seq, session, number, role, text, time, confidence, cut, topic in rows:
        said = datetime.fromisoformat(time)
        message = Message(seq, session, number, role, text, said, confidence, bool(cut))
        found.setdefault((message.session, message.turn), {})[message.role] = message
        stopped[message.session, message.turn] = topic
    return [
        Turn(session, number, sides.get("user"), sides.get("assistant"), stopped[session, number])
        for (session, number), sides in found.items()
    ]
