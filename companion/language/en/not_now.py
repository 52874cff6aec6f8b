"""Words about what may befall anybody, or is long over: not about what is happening now.

"What happens if you swallow a pip" and "last summer I had a rash" speak of bodies as an emergency
does. A false find makes an alarm weaker, so anything that may be of somebody who is there, or of
this moment, counts as now.
"""

from __future__ import annotations

from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()

_MOST_WORDS = 20
"""In more there is room for a question and for what it is asked about."""


def is_told(words: str) -> bool:
    """Whether all of these words are of what might be, is always so, or was long ago."""
    if len(words.split()) > _MOST_WORDS or _RE.of_now.search(words):
        return False
    if _RE.long_ago.search(words):
        return True
    if _RE.has_taken.search(words):
        return False
    if _RE.asks_the_name.search(words):
        return True
    return bool(_RE.asks_in_general.search(words)) and not _RE.of_somebody.search(words)


def is_habit(words: str) -> bool:
    """Whether words tell what always does harm, or what must never be had: "i cant have sesame my
    throat goes tight". What somebody has just taken, what happens now, or that somebody cannot
    breathe, is none."""
    now = (_RE.of_now, _RE.has_taken, _RE.no_breath)
    return not any(each.search(words) for each in now) and _RE.always.search(words) is not None
