"""Whether words leave room for a question in return.

Somebody who asks, wants something, tells a story, says what they feel, says goodbye or refuses is
not asked what they are called.
"""

from __future__ import annotations

import re
from typing import Literal

from companion.language.en import question, turn_ends
from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

_MARKS = (
    *(_RE.wants, _RE.feels, _RE.plain, _RE.denies),
    *(_RE.parts, _RE.refuses, _RE.agrees, _RE.goes_on),
)

MOST_WORDS = 8
"""Words of a remark; more are a story, which wants an answer of its own."""


def leaves_room(words: str, companion: str, *, asked: bool) -> bool:
    """Whether a message is a greeting or a short remark that wants nothing. companion: the toy's
    name, or "". asked: it follows a question of the companion, to which a bare "yes" is the
    beginning of something."""
    if greets(words, companion):
        return True
    if len(_WORD.findall(words)) > MOST_WORDS or question.asking(words):
        return False
    if _RE.lively.search(words) or turn_ends.unfinished(words):
        return False
    if _RE.agrees.match(words) if asked else not _RE.plain.match(words):
        return False
    wants = (_RE.wants, _RE.feels, _RE.parts, _RE.refuses, _RE.denies, _RE.goes_on)
    return not any(pattern.search(words) for pattern in wants)


def greets(words: str, companion: str) -> bool:
    """Whether a message is nothing but a greeting. companion: the toy's name, or ""."""
    if companion:
        words = re.sub(rf"(?<!\w){re.escape(companion)}(?!\w)", " ", words, flags=re.IGNORECASE)
    return _RE.greets.match(words) is not None


def part_of_day(words: str) -> Literal["morning", "night"] | None:
    """Of which part of the day a greeting or a goodbye is."""
    if _RE.night.search(words):
        return "night"
    return "morning" if _RE.morning.search(words) else None


def marks(words: str) -> tuple[bool, ...]:
    """Which of these a message shows, always in the same order: it wants something, tells a
    feeling, is a plain remark, denies, says goodbye, refuses, agrees, goes on."""
    return tuple(pattern.search(words) is not None for pattern in _MARKS)
