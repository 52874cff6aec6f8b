"""A wake phrase in a transcript: the model-free way to tell that the companion is meant.

A transcriber writes a name that it does not know in many ways ("hey pip", "hey pep", "a pip"), so
the phrase is looked for by ear.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.voice.sounds_like import distance, sounds

WORD = re.compile(r"[\w'’]+")
LATEST = 3
"""Words that may stand before the phrase ("um, okay, hey Pip")."""

TOLERANCE = 0.18
"""Distance allowed for each sound of the phrase: less than a foreign consonant in a short one."""

ALONE = 0.33
"""The same when nothing else is said. A transcriber knows a name worst without a sentence around
it ("Hey, Pat."), and taking it for ours does no more than open the ear."""


def after_wake(text: str, phrases: Sequence[str]) -> str | None:
    """The words after a wake phrase near the beginning of `text`; "" when there are none.

    None when there is no such phrase. phrases: e.g. ("hey pip",); an empty one is never found.
    """
    words = list(WORD.finditer(text))
    best: tuple[float, int] | None = None
    for phrase in phrases:
        wanted = sounds(phrase)
        length = len(phrase.split())
        for first in range(min(LATEST + 1, len(words))):
            for count in range(1, length + 2):
                window = words[first : first + count]
                if not wanted or len(window) < count:
                    continue
                nothing_else = count == len(words)
                tolerance = ALONE if nothing_else else TOLERANCE
                away = distance(sounds("".join(word.group() for word in window)), wanted)
                if away <= tolerance * len(wanted) and (best is None or away < best[0]):
                    best = away, window[-1].end()
    if best is None:
        return None
    rest = text[best[1] :].lstrip(" \t\n,.;:!?…-–—\"'")
    return rest
