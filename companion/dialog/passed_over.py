"""Which core items a person has left unanswered too often to be asked again (see `greeting`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import apsw

from companion import language
from companion.language.types import ITEMS
from companion.records import CoreItem, Profile, Turn
from companion.store import history

MOST_SESSIONS = 2
"""In how many sessions an item is asked for at most. Somebody who has left it unanswered in two
evidently does not want to answer."""


def passed_over(c: apsw.Connection, known: Profile) -> frozenset[CoreItem]:
    """Unknown items that are not to be asked for again: either MOST_SESSIONS finished sessions
    have asked for them, or the person has said that they would rather not tell.

    Only turns still in the log count, so an item may be asked for again after they have expired.
    """
    wanted = {item for item in ITEMS if getattr(known, item) is None}
    sessions: Counter[CoreItem] = Counter()
    closed: set[CoreItem] = set()
    for session in history.sessions(c):
        if closed >= wanted:
            break
        if session.ended is not None:
            asked, declined = _asked_in(history.turns(c, session.id))
            sessions.update(asked)
            closed |= declined | {item for item in asked if sessions[item] >= MOST_SESSIONS}
    return frozenset(closed & wanted)


def _asked_in(turns: Iterable[Turn]) -> tuple[set[CoreItem], set[CoreItem]]:
    """The items that a session asked for, and those of them that the person declined to tell."""
    asked: set[CoreItem] = set()
    declined: set[CoreItem] = set()
    last: CoreItem | None = None
    for turn in turns:
        said = turn.user.text if turn.user is not None else ""
        if last is not None and language.introduction.declines(said):
            declined.add(last)
        reply = turn.reply.text if turn.reply is not None else ""
        asks = language.introduction.asks_for(reply)
        asked |= asks
        last = next((item for item in reversed(ITEMS) if item in asks), None)
    return asked, declined
