"""Erasing that can be undone for a while.

What is to be erased leaves the tables at once, in one transaction, so that nothing finds it: no
recall, prompt, search, listing or export. Its rows wait here, as one record each, to be put back
by `undo`, or to go for good: when they are due in lived time, when told to, or at the next start.

Several may wait, and what one took may rest on what another takes. So where one is undone or goes
for good, all that wait are put back first, and the others are taken again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import apsw

from companion.errors import InputError
from companion.store import erase_rows, history, lived, log, sweep, undo_log
from companion.store.connection import rows

SCHEMA = """
CREATE TABLE pending_erase (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  what TEXT NOT NULL,               -- a JSON object: {"memory": 12}, {"turn": ["s", 3]}, ...
  due_lived_s REAL NOT NULL,
  session TEXT,                     -- of a session: its name and number, taken until it is gone
  number INTEGER,
  unlearnt TEXT,                    -- of a turn: its session, if it had not been learnt from
  rows BLOB NOT NULL                -- what was taken out of the tables; see undo_log
) STRICT;
"""

What = dict[str, Any]
"""`{"memory": id}`, `{"turn": [session, number]}` or `{"session": id}`."""


@dataclass(frozen=True)
class Pending:
    """Something that is hidden, and not yet gone."""

    id: int
    what: What
    due_in_s: float
    """Lived seconds, as of the last write; 0 when it is due."""


def hide(c: apsw.Connection, what: What, undo_s: float, now: datetime) -> int:
    """Take it out of the tables; returns the number under which it can be put back. undo_s: lived
    seconds until it goes for good. Raises InputError when there is no such thing."""
    if "session" in what and history.session(c, what["session"]) is not None:
        log.end_session(c, what["session"], now)  # a talk that was hidden does not go on
    c.execute(
        "INSERT INTO pending_erase (what, due_lived_s, rows) VALUES (?, ?, x'')",
        (json.dumps(what), lived.now(c) + undo_s),
    )
    id = c.last_insert_rowid()
    if "turn" in what:
        unlearnt = "SELECT id FROM sessions WHERE id = ? AND consolidated_at IS NULL"
        c.execute(
            f"UPDATE pending_erase SET unlearnt = ({unlearnt}) WHERE id = ?", (what["turn"][0], id)
        )
    _take(c, id, what)
    return id


def all_pending(c: apsw.Connection) -> list[Pending]:
    """What is hidden, oldest first."""
    now = lived.now(c)
    found = rows(c, "SELECT id, what, due_lived_s FROM pending_erase ORDER BY id")
    return [Pending(id, json.loads(what), max(0.0, due - now)) for id, what, due in found]


def undo(c: apsw.Connection, id: int) -> None:
    """Put it back. Raises InputError when it is not there any more."""
    _expect(c, id)
    _again(c, lambda: _forget(c, id))


def erase_now(c: apsw.Connection, ids: list[int]) -> None:
    """Let these go for good, in one transaction with the note that their bytes remain. Raises
    InputError when one is not there any more."""
    whats = {each.id: each.what for each in all_pending(c)}
    for id in ids:
        _expect(c, id)

    def drop() -> None:
        for id in ids:
            _forget(c, id)
            _drop(c, whats[id])

    if ids:
        _again(c, drop)
        sweep.note(c)


def amid(c: apsw.Connection, step: Callable[[apsw.Connection], None]) -> None:
    """Run a step that erases for good, so that it finds what is hidden, too."""
    if rows(c, "SELECT 1 FROM pending_erase LIMIT 1"):
        _again(c, lambda: step(c))
    else:
        step(c)


def waits(c: apsw.Connection) -> bool:
    """Is anything hidden? Not in a store of an older schema, which has no place for it."""
    known = c.table_exists("main", "pending_erase")
    return known and bool(rows(c, "SELECT 1 FROM pending_erase LIMIT 1"))


def finish(c: apsw.Connection) -> None:
    """At a start: everything that is hidden goes for good."""
    c.execute("DELETE FROM pending_erase")
    sweep.note(c)


def _again(c: apsw.Connection, step: Callable[[], None]) -> None:
    """Put everything back, run the step, and take again what still waits."""
    waiting = rows(c, "SELECT id, rows FROM pending_erase ORDER BY id DESC")
    for _, record in waiting:
        undo_log.put_back(c, record)
    # A night that has gone over the rest meanwhile goes over these, too.
    c.execute(
        "UPDATE sessions SET consolidated_at = NULL, consolidated_lived_s = NULL "
        "WHERE id IN (SELECT unlearnt FROM pending_erase)"
    )
    step()
    for each in all_pending(c):
        try:
            _take(c, each.id, each.what)
        except InputError:  # the step has taken it along
            _forget(c, each.id)


def _take(c: apsw.Connection, id: int, what: What) -> None:
    known = None
    if "session" in what:
        number = "SELECT id, number FROM sessions WHERE id = ?"
        known = c.execute(number, (what["session"],)).fetchone()
    record = undo_log.recorded(c, lambda: _drop(c, what), but="pending_erase")
    c.execute(
        "UPDATE pending_erase SET rows = ?, session = ?, number = ? WHERE id = ?",
        (record, *(known or (None, None)), id),
    )


def _drop(c: apsw.Connection, what: What) -> None:
    match what:
        case {"memory": id}:
            erase_rows.drop_memory(c, id)
        case {"turn": [session, number]}:
            erase_rows.drop_turn(c, session, number)
        case {"session": session}:
            erase_rows.drop_session(c, session)
        case _:
            raise InputError("erase a memory, a turn or a session")


def _forget(c: apsw.Connection, id: int) -> None:
    c.execute("DELETE FROM pending_erase WHERE id = ?", (id,))


def _expect(c: apsw.Connection, id: int) -> None:
    if not rows(c, "SELECT 1 FROM pending_erase WHERE id = ?", id):
        raise InputError("that cannot be undone any more: it is back already, or gone for good")
