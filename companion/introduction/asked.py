"""What a sentence of the companion asks of the person, and what it has asked often enough."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import apsw

from companion.introduction.said import ITEMS, declines
from companion.records import Profile, Turn
from companion.store import history
from companion.store.profile import CoreItem

MOST_SESSIONS = 2
"""Sessions that ask for one item. Whoever passed over it twice does not want to tell."""

ASKS: dict[CoreItem, re.Pattern[str]] = {
    "name": re.compile(
        r"\byour\s+(?:first\s+)?name\b|\b(?:i|people|friends)\s+call\s+you\b|"
        r"\bwho\s+(?:are\s+you\s*\?|am\s+i\s+(?:talking|speaking))|\bare\s+you\s+called\b",
        re.IGNORECASE,
    ),
    "age": re.compile(
        r"\bhow\s+(?:many\s+years\s+)?old\s+are\s+you\b|\byour\s+age\b", re.IGNORECASE
    ),
    "gender": re.compile(
        r"\b(?:boy\s+or\s+(?:a\s+)?girl|girl\s+or\s+(?:a\s+)?boy|man\s+or\s+(?:a\s+)?woman|"
        r"woman\s+or\s+(?:a\s+)?man|your\s+gender)\b",
        re.IGNORECASE,
    ),
}


def asks_for(sentence: str) -> frozenset[CoreItem]:
    """The items that a sentence of the companion asks for."""
    if "?" not in sentence and not re.search(r"\btell\s+me\b", sentence, re.IGNORECASE):
        return frozenset()
    return frozenset(item for item in ITEMS if ASKS[item].search(sentence))


def passed_over(c: apsw.Connection, known: Profile) -> frozenset[CoreItem]:
    """What is not known and not to be asked for any more: MOST_SESSIONS sessions that are over
    have asked for it, or the person would rather not tell.

    As far as the log still knows: what was asked before raw turns expired may be asked again.
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
    """What a session asked for, and what of that the person would rather not tell."""
    asked: set[CoreItem] = set()
    declined: set[CoreItem] = set()
    last: CoreItem | None = None
    for turn in turns:
        if last is not None and turn.user is not None and declines(turn.user.text):
            declined.add(last)
        asks = asks_for(turn.reply.text) if turn.reply is not None else frozenset()
        asked |= asks
        last = next((item for item in reversed(ITEMS) if item in asks), None)
    return asked, declined
