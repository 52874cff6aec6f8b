"""Finds a wake phrase in a transcript, which needs no wake-word model.

A transcriber spells an unknown name in many ways ("hey pip", "hey pep", "a pip"), so the phrase is
compared by its sounds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion import language

WORD = re.compile(r"[\w'’]+")
LATEST = 3
"""Words that may stand before the phrase ("um, okay, hey Pip")."""

TOLERANCE = 0.18
"""Phonetic distance allowed per sound of the phrase: less than one wrong consonant costs in a
short phrase."""

ALONE = 0.33
"""The same when nothing else is said. A transcriber recognises a name worst without a sentence
around it ("Hey, Pat."), and a false match only makes the companion listen."""


def after_wake(text: str, phrases: Sequence[str]) -> str | None:
    """The words after a wake phrase near the beginning of `text`; "" when there are none.

    None when there is no such phrase. phrases: e.g. ("hey pip",); an empty one is never found.
    """
    words = list(WORD.finditer(text))
    best: tuple[float, int] | None = None
    for phrase in phrases:
        wanted = language.phonetics.sounds(phrase)
        length = len(phrase.split())
        for first in range(min(LATEST + 1, len(words))):
            for count in range(1, length + 2):
                window = words[first : first + count]
                if not wanted or len(window) < count:
                    continue
                nothing_else = count == len(words)
                tolerance = ALONE if nothing_else else TOLERANCE
                heard = language.phonetics.sounds("".join(word.group() for word in window))
                away = language.phonetics.distance(heard, wanted)
                if away <= tolerance * len(wanted) and (best is None or away < best[0]):
                    best = away, window[-1].end()
    if best is None:
        return None
    return text[best[1] :].lstrip(" \t\n,.;:!?…-–—\"'")
