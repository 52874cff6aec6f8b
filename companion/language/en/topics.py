"""The kind of thing that words name: an animal, food, weather; by small tables of words.

It decides what people have written that is said about it: of a cow something else than of a cake.
"""

from __future__ import annotations

import re

from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_OPENING = re.compile(r"^(?:the|a|an|my|our|your|some|all|any|playing|eating|watching|doing)\s+")
_ENDINGS = (("", ""), ("s", ""), ("es", ""), ("ies", "y"))
"""Endings of plurals, and what stands for them in the singular."""


def _by_word() -> dict[str, str]:
    kinds = [(name, each) for name, each in _TABLE.entries.items() if "words" in each]
    found: dict[str, str] = {}
    for name, _ in kinds:
        for word in _TABLE.ordered(name):
            found.setdefault(word.replace("-", " "), name)
    return found


_KINDS = _by_word()


def kind(thing: str) -> str:
    """The kind of a thing that is named in a few words, singular or plural, with an article or
    without: "the big dogs" is a `pet`; "" where no table holds it."""
    text = " ".join(re.sub(r"[^\w' ]", " ", thing.lower()).split())
    while (shorter := _OPENING.sub("", text)) != text:
        text = shorter
    words = text.split()
    for start in range(len(words)):  # "big dogs", "guinea pigs"
        if found := _known(" ".join(words[start:])):
            return found
    return ""


def _known(text: str) -> str:
    for ending, instead in _ENDINGS:
        single = text[: len(text) - len(ending)] + instead if ending else text
        if text.endswith(ending) and (found := _KINDS.get(single)):
            return found
    return ""
