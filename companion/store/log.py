"""The session log: append-only, the only truth. Everything else is derived from it.

Text is stored exactly as given, NUL and control characters included. The one thing refused is a
lone surrogate: it is no Unicode text, no encoding holds it, so the message is refused whole.

All functions run on the store's thread: `await store.write(append, ...)`. How the log is read:
`companion.store.history`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import apsw

from companion import language
from companion.errors import InputError, StoreError
from companion.records import Message, Role
from companion.store import history, lived, text_index


def start_session(c: apsw.Connection, time: datetime, session_id: str | None = None) -> str:
    """Open a session and return its id: the given one, or local date and count, `2026-11-21-1`.

    A session that was left open (the process was killed) ends with its last message: there is
    at most one open. Raises InputError when the id is taken or cannot be stored.
    """
    left_open = history.open_session(c)
    if left_open is not None:
        end_session(c, left_open.id, time)
    if session_id is None:
        session_id = _next_id(c, time)
    _check_id(session_id)
    if history.session(c, session_id) is not None or session_id in _reserved(c):
        raise InputError(f"session {session_id!r} exists already: choose another id")
    c.execute(
        f"INSERT INTO sessions (number, id, started) VALUES ({_NEXT_NUMBER}, ?, ?)",
        (session_id, _iso(time)),
    )
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
            f"INSERT INTO sessions (number, id, started, ended) VALUES ({_NEXT_NUMBER}, ?, ?, ?)",
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
    id = history.turn_id(c, session, number)
    if id is not None:
        text_index.drop(c, "turn_index", id)
        c.execute("DELETE FROM turns WHERE id = ?", (id,))


_NEXT_NUMBER = (
    "(SELECT coalesce(max(number), 0) + 1 FROM "
    "(SELECT number FROM sessions UNION ALL SELECT number FROM pending_erase))"
)
"""Of a session: one that is hidden keeps its own, and may come back."""


def _reserved(c: apsw.Connection) -> set[str]:
    """Names of sessions that are hidden."""
    return {id for (id,) in c.execute("SELECT session FROM pending_erase") if id is not None}


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
            for table in (
                "turn_vectors",
                "query_vectors",
                "turn_tokens",
            ):  # they were made without the reply
                c.execute(f"DELETE FROM {table} WHERE id = ?", (row[0],))
            return row[0], row[1]
    number = c.execute(
        "UPDATE sessions SET turns = turns + 1 WHERE id = ? RETURNING turns", (session,)
    ).get
    c.execute(
        "INSERT INTO turns (session, number, began, day) VALUES (?, ?, ?, ?)",
        (session, number, time.timestamp(), language.dates.spelled_day(time)),
    )
    return c.last_insert_rowid(), number


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
        "SELECT max(CAST(substr(id, 12) AS INTEGER)) FROM (SELECT id FROM sessions UNION ALL "
        "SELECT session FROM pending_erase) WHERE id GLOB ? || '-[0-9]*'",
        (day,),
    ).get
    return f"{day}-{(taken or 0) + 1}"


def _iso(time: datetime) -> str:
    if time.tzinfo is None:
        raise InputError(f"time {time.isoformat()} has no offset, as in 2026-11-21T18:00:00+01:00")
    return time.isoformat()
