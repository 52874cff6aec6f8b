"""The mood of a sentence that the companion says, for a face or a lamp that follows it."""

from __future__ import annotations

from typing import Literal

from companion.language.tables import Table

Mood = Literal["calm", "glad", "sorry", "curious", "serious"]

_FOUND = Table.beside(__file__).patterns()


def of(sentence: str) -> Mood:
    """The first that fits, the gravest first; `calm` where none does."""
    text = sentence.strip()
    if _FOUND.serious.search(text):
        return "serious"
    if _FOUND.sorry.search(text):
        return "sorry"
    if _FOUND.curious.search(text):
        return "curious"
    return "glad" if _FOUND.glad.search(text) else "calm"
