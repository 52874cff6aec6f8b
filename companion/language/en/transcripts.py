"""Normalizes the words of a transcript, and recognises what a transcriber makes up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.language.en.numbers import IN_WORDS
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_NEVER_SAID = _TABLE.pattern("never_said")
_STOCK = _TABLE.words("stock")
_NODS = _TABLE.words("nods")
_NODDING = _TABLE.words("nodding")
_SAID_ALONE = _TABLE.words("said_alone")

OWN_WORDS = _TABLE.words("own_words")
"""Words that a person adds when answering, and that an echo does not contain."""

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")


def words_of(text: str) -> list[str]:
    """The words in lower case, without punctuation. Small numbers become words, because a
    transcriber writes them either way."""
    words = _WORD.findall(text.casefold().replace("’", "'"))
    return [IN_WORDS.get(word, word) for word in words]


def is_foreign(text: str) -> bool:
    """Whether most letters belong to another script, as when a transcriber guesses at a noise."""
    return len(_LATIN.findall(text)) * 2 < len(_LETTER.findall(text))


def is_nod(words: Sequence[str]) -> bool:
    """Whether somebody only shows that they listen."""
    return set(words) <= _NODS or " ".join(words) in _NODDING


def is_never_said(words: Sequence[str]) -> bool:
    """Whether the words begin like the closing words of a video."""
    return _NEVER_SAID.match(" ".join(words)) is not None


def is_stock(words: Sequence[str]) -> bool:
    """Whether the words are what a transcriber writes for a knock or a breath."""
    return " ".join(words) in _STOCK


def is_said_alone(words: Sequence[str]) -> bool:
    """Whether the words are a common one-word utterance."""
    return " ".join(words) in _SAID_ALONE
