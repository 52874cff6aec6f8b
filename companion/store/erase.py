"""Physical erase: first the rows, then every byte of them in every file of the data directory.

The rows go in one transaction that also notes that bytes remain; `companion.store.sweep` then
takes those, and is finished at the next start when it was cut. What leaves is what was asked for
and what rests on it alone: a memory with other sources loses only the erased one, and one that
had been superseded by an erased memory stands again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec

import apsw

from companion.errors import InputError
from companion.store import (
    ballast,
    blocks,
    history,
    log,
    memories,
    notices,
    openers,
    profile,
    skill_state,
    sweep,
    text_index,
)
from companion.store.connection import rows
from companion.store.database import Store

P = ParamSpec("P")


async def erase_memory(store: Store, id: int) -> None:
    """Erase a memory with those that it superseded. Raises InputError when there is none."""
    await _erase(store, _drop_memory, id)


async def erase_turn(store: Store, session: str, number: int) -> None:
    """Erase one turn; one whose words have expired, too, for quotes of them stay.

    Raises InputError when there never was one.
    """
    await _erase(store, drop_turn, session, number)


async def erase_session(store: Store, session: str) -> None:
    """Erase a session with all its turns. Raises InputError when there is none."""
    await _erase(store, _drop_session, session)


async def erase_all(store: Store) -> None:
    """Erase everything said, learnt or derived. The key, the schema and lived time stay."""
    await _erase(store, _drop_all)


async def erase_personality(store: Store) -> None:
    """Erase every picture of the personality and what it was drawn from, if there is one."""
    if await store.read(profile.has_personality):
        await _erase(store, _drop_personality)


async def erase_blocks(store: Store) -> None:
    """Erase all that was overheard."""
    await _erase(store, blocks.clear)


async def erase_notices(store: Store) -> None:
    """Erase all notices for parents; the turns they are about stay."""
    await _erase(store, notices.clear)


async def _erase(
    store: Store,
    step: Callable[Concatenate[apsw.Connection, P], None],
    *args: P.args,
    **kwargs: P.kwargs,
) -> None:
    # Even a DELETE needs room on the disk.
    await store.maintain(lambda c: ballast.free(store.directory))
    try:
        await store.write(_drop_and_note, lambda c: step(c, *args, **kwargs))
        await store.maintain(sweep.sweep, store.directory, store.key, store.section.backups)
    finally:
        ballast.fill(store.directory)


def _drop_and_note(c: apsw.Connection, step: Callable[[apsw.Connection], None]) -> None:
    step(c)
    sweep.note(c)


def _drop_memory(c: apsw.Connection, id: int) -> None:
    if memories.get(c, id) is None:
        raise InputError(f"there is no memory {id}; `companion memories list` shows them")
    c.execute(
        "DELETE FROM drafts WHERE EXISTS (SELECT 1 FROM sources AS s WHERE s.memory = ? "
        "AND s.session = drafts.session AND s.turn = drafts.turn AND s.quote = drafts.quote)",
        (id,),
    )
    memories.remove(c, id)


def drop_turn(c: apsw.Connection, session: str, number: int) -> None:
    """Take a turn and what rests on it alone; `sweep.note` has to follow. Raises InputError."""
    found = history.session(c, session)
    if found is None or not 1 <= number <= found.turns:
        raise InputError(f"there is no turn {session}#{number}; `companion sessions` counts them")
    _drop_derived(c, session, number, number)
    log.remove_turn(c, session, number)


def _drop_session(c: apsw.Connection, session: str) -> None:
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
    c.execute(f"DELETE FROM sources WHERE {within}", turns)
    doomed = [id for (id,) in touched if not rows(c, "SELECT 1 FROM sources WHERE memory = ?", id)]
    for id in doomed:
        for (old,) in rows(c, "SELECT id FROM memories WHERE superseded_by = ?", id):
            memories.undo_supersede(c, old)
    for id in doomed:
        memories.remove(c, id)
    c.execute(f"DELETE FROM profile_core WHERE {within}", turns)
    c.execute(f"DELETE FROM notices WHERE {within}", turns)
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


def _drop_personality(c: apsw.Connection) -> None:
    for table in ("evidence", "profile_personality"):
        c.execute(f"DELETE FROM {table}")


def _drop_all(c: apsw.Connection) -> None:
    for index in text_index.INDEXES:
        c.execute(f"INSERT INTO {index} ({index}) VALUES ('delete-all')")
    c.execute("PRAGMA defer_foreign_keys = ON")
    for table in (
        *("sessions", "memories", "blocks", "embedders"),  # and by cascade all that hangs on them
        *("profile_core", "profile_personality", "skill_state", "timers"),
    ):
        c.execute(f"DELETE FROM {table}")
