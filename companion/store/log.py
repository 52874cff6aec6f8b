"""The session log: append-only, the only truth. Everything else is derived from it.

Text is stored exactly as given, NUL and control characters included. The one thing refused is a
lone surrogate: it is no Unicode text, no encoding holds it, so the message is refused whole.

All functions run on the store's thread: `await store.write(append, ...)`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

import apsw

from companion.clock import unsure
from companion.errors import InputError, StoreError
from companion.records import Message, Role, Session, Turn
from companion.store import lived, text_index
from companion.store.connection import rows

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

_MESSAGE = "SELECT seq, session, turn, role, text, time, confidence, cut FROM messages "
_TURN = (
    "SELECT seq, session, turn, role, text, time, confidence, cut, (SELECT stopped FROM turns "
    "WHERE turns.session = messages.session AND turns.number = messages.turn) FROM messages "
)
_SESSION = "SELECT id, started, ended, turns, consolidated_at IS NOT NULL FROM sessions "


def start_session(c: apsw.Connection, time: datetime, session_id: str | None = None) -> str:
    """Open a session and return its id: the given one, or local date and count, `2026-11-21-1`.

    A session that was left open (the process was killed) ends with its last message: there is
    at most one open. Raises InputError when the id is taken or cannot be stored.
    """
    left_open = open_session(c)
    if left_open is not None:
        end_session(c, left_open.id, time)
    if session_id is None:
        session_id = _next_id(c, time)
    _check_id(session_id)
    if session(c, session_id) is not None:
        raise InputError(f"session {session_id!r} exists already: choose another id")
    c.execute("INSERT INTO sessions (id, started) VALUES (?, ?)", (session_id, _iso(time)))
    return session_id


def append(
    c: apsw.Connection,
    session: str,
    role: Role,
    text: str,
    time: datetime,
    *,
    confidence: float | None = None,
    cut: bool = False,
) -> Message:
    """Add what was said to an open session.

    A user message opens the next turn. An assistant message answers the newest turn, or opens
    one when that has its answer already (the companion speaks first).
    Raises InputError for text with lone surrogates, StoreError when the session is not open.
    """
    row = c.execute("SELECT ended FROM sessions WHERE id = ?", (session,)).fetchone()
    if row is None or row[0] is not None:
        raise StoreError(f"session {session!r} is not open: nothing can be added to it")
    return _append(c, session, role, text, time, confidence, cut)


def open_session(c: apsw.Connection) -> Session | None:
    """The session that has not ended, if there is one."""
    row = c.execute(_SESSION + "WHERE ended IS NULL").fetchone()
    return _session(row) if row else None


def end_session(c: apsw.Connection, session: str, time: datetime) -> None:
    """Close a session. One in which nothing was said leaves no trace; ending twice is harmless.

    A session found open long afterwards ended with its last message, not now.
    """
    c.execute("DELETE FROM sessions WHERE id = ? AND messages = 0", (session,))
    last = c.execute(
        "SELECT time FROM messages WHERE session = ? ORDER BY seq DESC LIMIT 1", (session,)
    ).get
    c.execute(
        "UPDATE sessions SET ended = ? WHERE id = ? AND ended IS NULL",
        (last or _iso(time), session),
    )


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
    """The first and the last day on which a session began; none when there is none."""
    found = c.execute(
        "SELECT min(day), max(day) FROM (SELECT substr(started, 1, 10) AS day FROM sessions)"
    ).get
    return [date.fromisoformat(day) for day in found if day is not None]


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


def last_messages(c: apsw.Connection, session: str, limit: int) -> list[Message]:
    """The newest `limit` messages of the session, oldest first."""
    rows = c.execute(_MESSAGE + "WHERE session = ? ORDER BY seq DESC LIMIT ?", (session, limit))
    return [_message(row) for row in rows][::-1]


def import_messages(
    c: apsw.Connection, session: str, rows: Sequence[tuple[Role, str, datetime]]
) -> int:
    """Replay a recorded session: `(role, text, time)` in order, the whole session each time.

    Idempotent by position: what is held is left alone (also when it has expired or was erased,
    so that a second import brings nothing back), what follows is added. Returns how many
    messages were added. The session is ended afterwards and, when it grew, waits for
    consolidation again.
    Raises InputError when a message differs from the one held in its place.
    """
    _check_id(session)
    if not rows:
        return 0
    held = c.execute("SELECT messages FROM sessions WHERE id = ?", (session,)).get
    if held is None:
        # Born ended: an import must not collide with the one open session.
        started = _iso(rows[0][2])
        c.execute(
            "INSERT INTO sessions (id, started, ended) VALUES (?, ?, ?)",
            (session, started, started),
        )
        held = 0
    _check_same(c, session, rows[:held])
    for role, text, time in rows[held:]:
        _append(c, session, role, text, time, None, False)
    if len(rows) > held:
        c.execute(
            "UPDATE sessions SET ended = ?, consolidated_at = NULL, consolidated_lived_s = NULL "
            "WHERE id = ?",
            (_iso(rows[-1][2]), session),
        )
    return max(0, len(rows) - int(held))


def mark_stopped(c: apsw.Connection, session: str, number: int, topic: str) -> None:
    """Note that a guard stopped the turn: it is kept, and nothing is made of it."""
    c.execute(
        "UPDATE turns SET stopped = ? WHERE session = ? AND number = ?", (topic, session, number)
    )


def mark_consolidated(c: apsw.Connection, session: str, time: datetime) -> None:
    """Note that the session has been consolidated; its raw turns may expire from now on."""
    c.execute(
        "UPDATE sessions SET consolidated_at = ?, consolidated_lived_s = ? WHERE id = ?",
        (_iso(time), lived.now(c), session),
    )


def remove_turn(c: apsw.Connection, session: str, number: int) -> None:
    """Take a turn out of the log and the text index, with its messages and vectors.

    The log grows at its end only; it loses turns by expiry and by erasure alone.
    """
    id = turn_id(c, session, number)
    if id is not None:
        text_index.drop(c, "turn_index", id)
        c.execute("DELETE FROM turns WHERE id = ?", (id,))


def turn_id(c: apsw.Connection, session: str, number: int) -> int | None:
    """The row id by which the indexes know a turn."""
    id: int | None = c.execute(
        "SELECT id FROM turns WHERE session = ? AND number = ?", (session, number)
    ).get
    return id


def _append(
    c: apsw.Connection,
    session: str,
    role: Role,
    text: str,
    time: datetime,
    confidence: float | None,
    cut: bool,
) -> Message:
    _check_text(text)
    id, number = _turn_for(c, session, role, time)
    c.execute(
        "INSERT INTO messages (session, turn, position, role, text, time, confidence, cut) "
        "SELECT id, ?, messages, ?, ?, ?, ?, ? FROM sessions WHERE id = ?",
        (number, role, text, _iso(time), confidence, int(cut), session),
    )
    seq = c.last_insert_rowid()
    c.execute("UPDATE sessions SET messages = messages + 1 WHERE id = ?", (session,))
    text_index.put(c, "turn_index", id)
    return Message(seq, session, number, role, text, time, confidence, cut)


def _turn_for(c: apsw.Connection, session: str, role: Role, time: datetime) -> tuple[int, int]:
    """Row id and number of the turn that a new message belongs to, out of the text index."""
    if role == "assistant":
        row = c.execute(
            "SELECT t.id, t.number FROM turns AS t JOIN sessions AS s ON s.id = t.session "
            "WHERE s.id = ? AND t.number = s.turns AND NOT EXISTS (SELECT 1 FROM messages AS m "
            "WHERE m.session = s.id AND m.turn = t.number AND m.role = 'assistant')",
            (session,),
        ).fetchone()
        if row is not None:
            text_index.drop(c, "turn_index", row[0])
            for table in ("turn_vectors", "query_vectors"):  # they were made without the reply
                c.execute(f"DELETE FROM {table} WHERE id = ?", (row[0],))
            return row[0], row[1]
    number = c.execute(
        "UPDATE sessions SET turns = turns + 1 WHERE id = ? RETURNING turns", (session,)
    ).get
    c.execute(
        "INSERT INTO turns (session, number, began, day) VALUES (?, ?, ?, ?)",
        (session, number, time.timestamp(), spelled_day(time)),
    )
    return c.last_insert_rowid(), number


def spelled_day(time: datetime) -> str:
    """`Friday 28 April 2023`: the date as a question would say it; "" when it is not known."""
    if unsure(time):
        return ""
    return f"{_WEEKDAYS[time.weekday()]} {time.day} {_MONTHS[time.month - 1]} {time.year}"


def _check_text(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"text refused: character {error.start + 1} is half of a surrogate pair, "
            "which is not Unicode text"
        ) from None


def _check_id(session: str) -> None:
    _check_text(session)
    if not session.strip() or len(session) > 200 or not session.isprintable():
        raise InputError("a session id must be 1 to 200 printable characters")


def _check_same(
    c: apsw.Connection, session: str, rows: Iterable[tuple[Role, str, datetime]]
) -> None:
    held = {
        position: (role, text)
        for position, role, text in c.execute(
            "SELECT position, role, text FROM messages WHERE session = ?", (session,)
        )
    }
    for position, (role, text, _) in enumerate(rows):
        if held.get(position, (role, text)) != (role, text):
            raise InputError(
                f"session {session!r}: message {position + 1} differs from the one held: "
                "the log is append-only, import changed recordings under another session id"
            )


def _next_id(c: apsw.Connection, time: datetime) -> str:
    day = time.date().isoformat()
    taken = c.execute(
        "SELECT max(CAST(substr(id, 12) AS INTEGER)) FROM sessions WHERE id GLOB ? || '-[0-9]*'",
        (day,),
    ).get
    return f"{day}-{(taken or 0) + 1}"


def _iso(time: datetime) -> str:
    if time.tzinfo is None:
        raise InputError(f"time {time.isoformat()} has no offset, as in 2026-11-21T18:00:00+01:00")
    return time.isoformat()


def _session(row: tuple[Any, ...]) -> Session:
    id, started, ended, turns, consolidated = row
    return Session(
        id,
        datetime.fromisoformat(started),
        datetime.fromisoformat(ended) if ended else None,
        turns,
        bool(consolidated),
    )


def _message(row: tuple[Any, ...]) -> Message:
    seq, session, turn, role, text, time, confidence, cut = row
    return Message(
        seq, session, turn, role, text, datetime.fromisoformat(time), confidence, bool(cut)
    )


def _turns(rows: Iterable[tuple[Any, ...]]) -> list[Turn]:
    """Messages in order to turns in order."""
    found: dict[tuple[str, int], dict[str, Message]] = {}
    stopped: dict[tuple[str, int], str | None] = {}
    for *columns, topic in rows:
        message = _message(tuple(columns))
        found.setdefault((message.session, message.turn), {})[message.role] = message
        stopped[message.session, message.turn] = topic
    return [
        Turn(session, number, sides.get("user"), sides.get("assistant"), stopped[session, number])
        for (session, number), sides in found.items()
    ]
