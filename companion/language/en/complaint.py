"""Small complaints of the body: "my tummy hurts a bit", "I've got a scab".

To a classifier of meaning such words are close to an emergency. A false find makes an alarm weaker,
so nothing may stand beside the complaint that could make it grave: another person, what was taken
or done, strength, spreading, sleepiness, a place that nobody else should touch.
"""

from __future__ import annotations

from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()

_MOST_WORDS = 16
"""In more there is room for what is not a complaint."""


def is_small(words: str) -> bool:
    """Whether all of these words are about a small ache or hurt of the speaker's own."""
    if len(words.split()) > _MOST_WORDS or _RE.grave.search(words):
        return False
    return _RE.own.search(words) is not None
