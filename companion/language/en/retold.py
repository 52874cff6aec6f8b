"""What a speaker only passes on: a rule that was taught, or what happens in a film or a book.

"Our teacher says never go with a stranger" has the words of an alarm and is none. A false find
makes an alarm weaker, so anything that may be of the speaker's own life counts as no retelling.
"""

from __future__ import annotations

from companion.language.en import pretend_play
from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()

_MOST_WORDS = 40
"""In more there is room for both."""


def is_retold(words: str) -> bool:
    """Whether all of these words pass on a rule, a film or a book."""
    if len(words.split()) > _MOST_WORDS or _RE.own_life.search(words):
        return False
    if _RE.rule.search(words):
        return True
    return _RE.film.search(words) is not None and not pretend_play.is_left(words)
