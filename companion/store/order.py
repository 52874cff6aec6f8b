"""Which of two turns was said later: by the order in which they arrived, never by a clock."""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from companion.records import Source

Place = tuple[int, int]
"""Number of the session in order of arrival, number of the turn in it; larger is later."""


def place(c: apsw.Connection, session: str, turn: int) -> Place:
    """Where a turn stands among all; before all others when its session was erased."""
    number = c.execute("SELECT number FROM sessions WHERE id = ?", (session,)).get
    return number or 0, turn


def latest(c: apsw.Connection, sources: Iterable[Source]) -> Place:
    """Where the newest of these turns stands; before all others when there is none."""
    return max((place(c, each.session, each.turn) for each in sources), default=(0, 0))
