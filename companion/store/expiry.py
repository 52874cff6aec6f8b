"""Raw turns do not stay for ever: once consolidated and old enough, they go."""

from __future__ import annotations

import apsw

from companion.store import blocks, lived, log
from companion.store.connection import rows


def expire_turns(c: apsw.Connection, days: float) -> int:
    """Remove the raw turns of sessions consolidated at least `days` lived days ago.

    Returns how many turns went. Memories keep their quotes, sessions their place in the list.
    """
    limit = lived.now(c) - days * lived.DAY_S
    expired = rows(
        c,
        "SELECT session, turns.number FROM turns JOIN sessions ON sessions.id = turns.session "
        "WHERE consolidated_lived_s <= ?",
        limit,
    )
    for session, number in expired:
        log.remove_turn(c, session, number)
    for session in {session for session, _ in expired}:
        c.execute("UPDATE chunks SET summary = '' WHERE session = ?", (session,))
    return len(expired)


def expire_blocks(c: apsw.Connection, days: float) -> int:
    """Remove what was overheard at least `days` lived days ago; how many blocks went."""
    return blocks.expire(c, days)
