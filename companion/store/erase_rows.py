"""Which rows leave the tables when something is erased: it, and what rests on it alone.

A memory with other sources loses only the erased one, and one that had been superseded by an
erased memory stands again. The bytes remain: `companion.store.sweep` takes those, and whoever calls
these functions notes it (`sweep.note`).
"""

from __future__ import annotations

import apsw

from companion.errors import InputError
from companion.store import follow_ups, history, log, memories, openers, skill_state, text_index
from companion.store.connection import rows


def drop_memory(c: apsw.Connection, id: int) -> None:
    """Take a memory with those that it superseded. Raises InputError when there is none."""
    if memories.get(c, id) is None:
        raise InputError(f"there is no memory {id}; `companion memories list` shows them")
    c.execute(
        "DELETE FROM drafts WHERE EXISTS (SELECT 1 FROM sources AS s WHERE s.memory = ? "
        "AND s.session = drafts.session AND s.turn = drafts.turn AND s.quote = drafts.quote)",
        (id,),
    )
    follow_ups.drop_words_of(c, id)
    memories.remove(c, id)


def drop_turn(c: apsw.Connection, session: str, number: int) -> None:
    """Take a turn and what rests on it alone. Raises InputError when there never was one."""
    found = history.session(c, session)
    if found is None or not 1 <= number <= found.turns:
        raise InputError(f"there is no turn {session}#{number}; `companion sessions` counts them")
    _drop_derived(c, session, number, number)
    log.remove_turn(c, session, number)


def drop_session(c: apsw.Connection, session: str) -> None:
    """Take a session with all its turns. Raises InputError when there is none."""
    found = history.session(c, session)
    if found is None:
        raise InputError(f"there is no session {session!r}; `companion sessions` shows them")
    _drop_derived(c, session, 1, found.turns)
    for (number,) in rows(c, "SELECT number FROM turns WHERE session = ?", session):
        log.remove_turn(c, session, number)
    c.execute("DELETE FROM sessions WHERE id = ?", (session,))


def _drop_derived(c: apsw.Connection, session: str, first: int, last: int) -> None:
    """What rests on these turns alone."""
    turns = (session, first, last)
    within = "session = ? AND turn BETWEEN ? AND ?"
    touched = rows(c, f"SELECT DISTINCT memory FROM sources WHERE {within}", *turns)
    openers.drop(c, session, first, last)
    follow_ups.drop_turns(c, *turns)
    c.execute(f"DELETE FROM sources WHERE {within}", turns)
    doomed = [id for (id,) in touched if not rows(c, "SELECT 1 FROM sources WHERE memory = ?", id)]
    for id in doomed:
        for (old,) in rows(c, "SELECT id FROM memories WHERE superseded_by = ?", id):
            memories.undo_supersede(c, old)
    for id in doomed:
        memories.remove(c, id)
    c.execute(f"DELETE FROM profile_core WHERE {within}", turns)
    c.execute(f"DELETE FROM notices WHERE {within}", turns)
    c.execute(f"DELETE FROM questions WHERE {within}", turns)
    skill_state.drop_turns(c, *turns)
    c.execute("UPDATE chunks SET summary = '' WHERE session = ? AND summary IS NOT NULL", turns[:1])
    c.execute(
        "DELETE FROM evidence WHERE session = ? AND chunk IN (SELECT number FROM chunks "
        "WHERE chunks.session = evidence.session AND last_turn >= ? AND first_turn <= ?)",
        turns,
    )
    if c.changes():
        # Every version of the personality is drawn from all evidence up to its time.
        c.execute("DELETE FROM profile_personality")


def drop_personality(c: apsw.Connection) -> None:
    """Take every picture of the personality and what it was drawn from."""
    for table in ("evidence", "profile_personality"):
        c.execute(f"DELETE FROM {table}")


def drop_all(c: apsw.Connection) -> None:
    """Take everything said, learnt, told or derived, and what waits to go."""
    for index in text_index.INDEXES:
        c.execute(f"INSERT INTO {index} ({index}) VALUES ('delete-all')")
    c.execute("PRAGMA defer_foreign_keys = ON")
    for table in (
        *("sessions", "memories", "blocks", "embedders"),  # and by cascade all that hangs on them
        *("profile_core", "profile_personality", "skill_state", "timers", "pending_erase"),
        *("corrections", "questions", "notices", "audit"),
    ):
        c.execute(f"DELETE FROM {table}")
