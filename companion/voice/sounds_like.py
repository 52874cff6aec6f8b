"""How far two words are apart by ear, read off their English spelling.

A weighted edit distance over rough sounds: vowels are easily taken for each other, and so are
consonants that differ by the voice alone; an h is hardly heard.
"""

from __future__ import annotations

import re
from functools import lru_cache

CONSONANTS = (
    ("tch", "c"),
    ("ph", "f"),
    ("gh", ""),
    ("wh", "w"),
    ("kn", "n"),
    ("wr", "r"),
    ("ck", "k"),
    ("ch", "c"),
    ("sh", "s"),
    ("qu", "kw"),
    ("x", "ks"),
    ("q", "k"),
)
VOWELS = (
    (re.compile(r"ee|ea|ie|y(?![aeiou])"), "i"),
    (re.compile(r"e[iy]|ai|ay"), "e"),
    (re.compile(r"oo|ou|ow|ew"), "u"),
    (re.compile(r"au|aw|oa|oe"), "o"),
)
SILENT_E = re.compile(r"(?<=[aeiou][^aeiou])e$")
HARD_C = re.compile(r"c(?![eihy])")
REPEATED = re.compile(r"(.)\1+")

PAIRS = frozenset(
    frozenset(pair) for pair in "pb td kg sz fv mn cj sc zc jg ei ao ou ae iy uw".split()
)
"""Sounds that are taken for each other."""


def sounds(word: str) -> str:
    """A letter for each rough sound of a word (or of several, written as one)."""
    text = "".join(character for character in word.casefold() if character.isalnum())
    text = HARD_C.sub("k", text.replace("tch", "ch"))
    for spelling, sound in CONSONANTS:
        text = text.replace(spelling, sound)
    if text.endswith("ey"):
        text = text[:-2] + "e" if len(text) < 4 else text[:-2] + "i"
    for spelling_of, sound in VOWELS:
        text = spelling_of.sub(sound, text)
    return REPEATED.sub(r"\1", SILENT_E.sub("", text))


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


def _alone(sound: str) -> float:
    """The cost of a sound that only one of them has."""
    if sound == "h":
        return 0.2
    return 0.5 if sound in "aeiou" else 1.0


def _instead(one: str, other: str) -> float:
    if one == other:
        return 0.0
    if frozenset((one, other)) in PAIRS:
        return 0.3
    return 0.6 if one in "aeiou" and other in "aeiou" else 1.0
