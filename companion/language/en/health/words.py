"""One plain spelling for talk of health: lower case, no marks, and words that were misheard or
misspelt led back to the names of `names.yaml` and `conditions.yaml`.

A transcriber writes "I'm a lergic", "see lee ack" and "new row fen"; a child types "alergic". What
sounds like a name is read as it: several words together, or one that is no name itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from companion.language.en.phonetics import distance, sounds
from companion.language.tables import Table

_HERE = Path(__file__)
_HEARD = Table(_HERE.with_name("heard.yaml"))
_MARKS = re.compile(r"[^a-z0-9 ]+")

MOST_WORDS = 4
"""Words that one misheard name may have become."""

LEAST_SOUNDS = 5
"""Shorter names are too close to other words."""

MOST_APART = 0.3
"""Distance by ear up to which several words are read as a name of `LONG` sounds or more; a shorter
one must sound the same. Looser, "says on" would be sesame, and "than seals" tonsils."""

LONG = 7

_MISSPELT_LETTERS = 8
"""Names with fewer letters are not looked for by spelling."""


def plain(text: str) -> str:
    """Lower-case words, one blank between them, with misheard and misspelt names mended.

    >>> plain("I'm a lergic to glue ten!")
    'im allergic to gluten'
    """
    words = f" {' '.join(bare(text).split())} "
    for heard, meant in _as_words().items():
        if heard in words:
            words = words.replace(heard, meant)
    return " ".join(_mended(tuple(words.split())))


def without_names(text: str) -> str:
    """The text without names of people and pets: capital letters within a sentence, unless
    a word before says that a thing is meant.

    >>> without_names("I let Biscuit have a Snickers")
    'I let have a Snickers'
    """
    kept: list[str] = []
    before = "."
    for word in text.split():
        inside = before[-1] not in ".?!" and bare(before).strip() not in _HEARD.words(
            "before_thing"
        )
        if not (inside and word[:1].isupper() and word[1:2].islower()):
            kept.append(word)
        before = word
    return " ".join(kept)


def bare(text: str) -> str:
    """The letters and figures of a text in lower case: no apostrophe, a blank for other marks."""
    return _MARKS.sub(" ", re.sub(r"['’‘`]", "", text.casefold()))


def stem(word: str) -> str:
    """The singular of a word, roughly; the same for both forms of it.

    >>> stem("berries"), stem("cookie"), stem("dishes"), stem("nuts")
    ('berry', 'cooky', 'dish', 'nut')
    """
    if len(word) <= 3:
        return word
    if word.endswith(("ies", "ie")) and len(word) > 4:
        return word[: word.rindex("ie")] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "oes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us")) else word


def names() -> Iterator[str]:
    """Every name in the tables of names and conditions."""
    for file in ("names", "conditions"):
        table = Table(_HERE.with_name(f"{file}.yaml"))
        for entry in table.entries:
            yield from table.ordered(entry)


@cache
def _as_words() -> dict[str, str]:
    return {f" {bare(heard)} ": f" {meant} " for heard, meant in _HEARD.mapping("as_words").items()}


@cache
def _vocabulary() -> frozenset[str]:
    """The words of names that are one word each, by their stems."""
    return frozenset(stem(name) for name in names() if " " not in name)


@cache
def _by_sound() -> dict[str, str]:
    """From the sounds of a name to the name."""
    known = {sounds(bare(name)): name for name in names() if len(bare(name).split()) == 1}
    known |= {sounds(heard): meant for heard, meant in _HEARD.mapping("by_ear").items()}
    return {heard: name for heard, name in known.items() if len(heard) >= LEAST_SOUNDS}


def _mended(words: tuple[str, ...]) -> Iterator[str]:
    at = 0
    while at < len(words):
        for length in range(min(MOST_WORDS, len(words) - at), 1, -1):
            window = words[at : at + length]
            named = any(stem(word) in _vocabulary() for word in window)
            if not named and (found := _heard_as(" ".join(window))):
                yield found
                at += length
                break
        else:
            yield _meant(words[at])
            at += 1


@lru_cache(maxsize=4096)
def _heard_as(words: str) -> str | None:
    """The name that several words together sound like."""
    if words in _HEARD.words("left_alone"):
        return None
    heard = sounds(words)
    near = [
        (distance(heard, sound), name)
        for sound, name in _by_sound().items()
        if sound[:1] == heard[:1] and abs(len(sound) - len(heard)) <= 1
    ]
    apart, name = min(near, default=(1.0, ""))
    return name if apart <= (MOST_APART if len(heard) >= LONG else 0.0) else None


@lru_cache(maxsize=4096)
def _meant(word: str) -> str:
    """The name that a misspelt word stands for; the word itself when there is none."""
    known = _vocabulary()
    if len(word) < LEAST_SOUNDS or stem(word) in known:
        return word
    if name := _HEARD.mapping("by_ear").get(word):
        return name
    long = (each for each in _near(stem(word)) if len(each) >= _MISSPELT_LETTERS)
    return next((each for each in long if each in known), word)


def _near(word: str) -> Iterator[str]:
    """All spellings with a letter more, doubled or not, one less, two swapped, or another vowel,
    that begin with the same letter."""
    for at in range(1, len(word)):
        head, tail = word[:at], word[at:]
        yield head + tail[1:]
        yield head + head[-1] + tail
        yield from (head + vowel + tail for vowel in "aeiou")
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
