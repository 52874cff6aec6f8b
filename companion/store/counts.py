"""How much there is, for a look at the whole."""

from __future__ import annotations

from dataclasses import dataclass

import apsw


@dataclass(frozen=True)
class Counts:
    sessions: int
    waiting: int
    """Sessions that are not consolidated yet."""

    messages: int
    memories: int
    """Active ones."""

    talking: bool
    """A session is open."""


def counts(c: apsw.Connection) -> Counts:
    """Of one moment."""
    sessions, waiting, messages, memories, talking = c.execute(
        "SELECT (SELECT count(*) FROM sessions),"
        " (SELECT count(*) FROM sessions WHERE consolidated_at IS NULL),"
        " (SELECT count(*) FROM messages),"
        " (SELECT count(*) FROM memories WHERE status = 'active'),"
        " (SELECT count(*) FROM sessions WHERE ended IS NULL)"
    ).get
    return Counts(sessions, waiting, messages, memories, bool(talking))
