"""How far two words are apart by ear, read off their English spelling.

A weighted edit distance over rough sounds: vowels are easily taken for each other, and so are
consonants that differ by the voice alone; an h is hardly heard. For misspellings there is a rougher
`key`, which words that sound alike share.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_DIGRAPHS = _TABLE.mapping("digraphs")
_LETTERS = _TABLE.mapping("letters")
_BY_EAR = {**_DIGRAPHS, **_TABLE.mapping("by_ear"), **_LETTERS}
_BY_KEY = {**_TABLE.mapping("by_key"), **_DIGRAPHS}
_SINGLE = {**_LETTERS, **_TABLE.mapping("similar_letters")}
_VOWELS = tuple((_TABLE.pattern(f"sound_{sound}"), sound) for sound in "ieuo")
_PAIRS = frozenset(map(frozenset, _TABLE.words("taken_for_each_other")))
_REPEATED = re.compile(r"(.)\1+")


def sounds(word: str) -> str:
    """A letter for each rough sound of a word (or of several, written as one)."""
    text = "".join(character for character in word.casefold() if character.isalnum())
    text = _respelled(_RE.hard_c.sub("k", text.replace("tch", "ch")), _BY_EAR)
    if text.endswith("ey"):
        text = text[:-2] + "e" if len(text) < 4 else text[:-2] + "i"
    for spelling, sound in _VOWELS:
        text = spelling.sub(sound, text)
    return _REPEATED.sub(r"\1", _RE.silent_e.sub("", text))


def key(word: str) -> str:
    """A rough key of a lower-case word: words that sound alike share it."""
    text = _RE.soft_c.sub("s", _respelled(word, _BY_KEY)).replace("c", "k")
    text = _REPEATED.sub(r"\1", _respelled(text, _SINGLE))
    return text[:-1] if len(text) > 3 and text.endswith("e") else text


@lru_cache(maxsize=4096)
def distance(one: str, other: str) -> float:
    """Of two strings of `sounds`: 0 when they sound alike, about 1 for each sound that differs."""
    row = [0.0]
    for sound in other:
        row.append(row[-1] + _alone(sound))
    for sound in one:
        above, row = row, [row[0] + _alone(sound)]
        for number, against in enumerate(other):
            row.append(
                min(
                    above[number] + _instead(sound, against),
                    above[number + 1] + _alone(sound),
                    row[number] + _alone(against),
                )
            )
    return row[-1]


def likeness(one: str, other: str) -> float:
    """Of two words: 1 when they sound alike, 0 when nothing does."""
    left, right = sounds(one), sounds(other)
    if left == right:
        return 1.0
    return max(0.0, 1 - distance(left, right) / max(len(left), len(right), 1))


def _respelled(text: str, spellings: Mapping[str, str]) -> str:
    for spelling, sound in spellings.items():
        text = text.replace(spelling, sound)
    return text


def _alone(sound: str) -> float:
    """The cost of a sound that only one of them has."""
    if sound == "h":
        return 0.2
    return 0.5 if sound in "aeiou" else 1.0


def _instead(one: str, other: str) -> float:
    if one == other:
        return 0.0
    if frozenset((one, other)) in _PAIRS:
        return 0.3
    return 0.6 if one in "aeiou" and other in "aeiou" else 1.0
