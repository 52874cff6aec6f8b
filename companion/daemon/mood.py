"""The mood of what the companion says: by who answers, else by the words."""

from __future__ import annotations

from companion import language
from companion.safety.verdict import WORRY

_SKILLS = {
    "jokes": "glad",
    "riddles": "glad",
    "games": "glad",
    "rhymes": "glad",
    "breathing": "calm",
    "stories": "calm",
}
"""Of small programs whose sentences are one whole; those of all others go by their words."""


def mood_of(by: str, clause: str) -> str:
    """One of calm, glad, sorry, curious, serious. by: as `ReplyStream.by`."""
    who, _, what = by.partition(":")
    if who == "guard" and what:
        return "calm" if what == WORRY else "serious"
    if who == "health":
        return "serious"
    if who == "skill" and what in _SKILLS:
        return _SKILLS[what]
    found: str = language.mood.of(clause)
    return found
