"""Recognises what people cannot eat or drink, requests to eat or drink, and words about health."""

from __future__ import annotations

from collections.abc import Sequence

from companion.language.en.question import asking, content_words
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()

CANNOT_EAT = _TABLE.pattern("cannot_eat")
"""In a statement about oneself."""

HEALTH = _TABLE.pattern("health")
"""Words that a caring adult would want remembered for good."""


def concerns_health(text: str) -> bool:
    """Whether a text says that somebody is ill, or cannot eat something. "Is not allergic to cats"
    says neither."""
    left = _RE.denied_health.sub("", text)
    return HEALTH.search(left) is not None or CANNOT_EAT.search(left) is not None


def asks_leave(words: str) -> bool:
    """Whether somebody asks to eat or to drink something."""
    asked = asking(words)
    eats = _RE.eats.search(asked) or _RE.takes_food.search(asked)
    return bool(eats and _RE.asks_leave.search(asked))


def says_cannot_eat(sentence: str) -> bool:
    """Whether a speaker says of themselves that they cannot eat or drink something."""
    told = CANNOT_EAT.search(sentence) and _RE.of_oneself.search(sentence)
    return bool(told) and not asking(sentence)


def user_cannot_eat(memory: str) -> bool:
    """Whether the text of a memory says it of the user."""
    return bool(_RE.of_user.match(memory) and CANNOT_EAT.search(memory))


def shared_words(asked: Sequence[str], said: str) -> int:
    """How many of the words asked for occur in `said`, also one within the other: "milk" in
    "milkshake".

    asked: in lower case."""
    known = [word.lower().rstrip("s") for word in content_words(said) if len(word) > 2]
    return sum(any(word in each or each in word for word in known) for each in asked)
