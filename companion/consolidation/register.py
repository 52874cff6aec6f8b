"""Who is whose what: people, pets and toys, as they have been introduced on any day.

The register is read from what was said whenever it is needed, and stored nowhere: what is erased is
gone from it, too. It never enters a prompt, since small models repeat what they are shown of it.
"""

from __future__ import annotations

import apsw

from companion import language
from companion.language.types import Relation
from companion.store import history, memories

_CHARACTERS = 1200
"""Characters of a message that are read."""

_QUOTES = 3000
"""Newest quotes of memories that are read."""


def relations(c: apsw.Connection, session: str, number: int) -> frozenset[Relation]:
    """The relations stated in the quotes of all memories, and in a session up to one turn."""
    found: set[Relation] = set()
    for quote in memories.quotes(c, _QUOTES):
        found |= language.people.relations(quote)
    before = ""
    for turn in history.turns(c, session):
        if turn.number > number:
            break
        if turn.user is not None and turn.stopped is None:
            found |= language.people.relations(turn.user.text[:_CHARACTERS], before)
        before = turn.reply.text if turn.reply else ""
    return frozenset(found)
