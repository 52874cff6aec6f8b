"""About what somebody wants a song."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.language.en.second_person import phrase_in_second_person
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_ABOUT = _TABLE.pattern("about")
_NAMED = _TABLE.pattern("named")
_ENDS = _TABLE.pattern("ends")
_EMPTY = _TABLE.words("empty")
_ONESELF = _TABLE.words("oneself")
_SOMEONES = ("my", "our", "your", "a", "an")

MOST_WORDS = 4
"""Words of a subject: more are a sentence."""


@dataclass(frozen=True)
class Subject:
    """What a song is about, as it names it."""

    thing: str
    """In the middle of a sentence: "your hamster", "washing up"; "" for the one who asks."""

    someone: bool
    """Whether it is a person, an animal or a toy, as far as its words show."""


def subject_of(plain: str, words: str) -> Subject | None:
    """About what plain words want a song; None for nothing in particular. words: as they were
    said, which show a name by its capital.

    >>> subject_of("make up a song about my hamster he only got one eye", "")
    Subject(thing='your hamster', someone=True)
    """
    if (found := _NAMED.search(plain) or _ABOUT.search(plain)) is None:
        return None
    thing = _ENDS.sub("", found["thing"]).strip()
    parts = thing.split()
    if not parts or len(parts) > MOST_WORDS or parts[-1] in _EMPTY:
        return None
    if thing in _ONESELF:
        return Subject("", someone=True)
    said = re.search(rf"\b{re.escape(thing)}\b", words, re.IGNORECASE)
    if said and all(part[:1].isupper() for part in said[0].split()):
        return Subject(said[0], someone=True)
    return Subject(phrase_in_second_person(thing), parts[0] in _SOMEONES)
