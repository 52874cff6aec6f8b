"""Corrects a misspelt word to the one or two words that were most likely meant.

`normalize` corrects the critical words. This module is for all others: a letter dropped, doubled or
swapped in "wehn he coems home", two words written as "inthe". Known words are listed in
`known_words.txt` (written by `scripts/guard_words.py`): first the words of our own training
sentences, the most frequent first, because they are what children say to a guard; then, after an
empty line, other English words.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase

FILE = Path(__file__).with_name("known_words.txt")
LEAST = 4
"""Letters. Shorter words are close to too many others."""

_LETTERS = ascii_lowercase


def _ranks() -> tuple[dict[str, int], int]:
    said, _, others = FILE.read_text(encoding="ascii").partition("\n\n")
    first = said.split()
    words = [*first, *others.split()]
    return dict(zip(words, range(len(words)), strict=True)), len(first)


_RANK, _SAID = _ranks()


def corrected(word: str) -> tuple[str, ...]:
    """The corrected word; unchanged when it is known, short, or close to no known word.

    word: lower-case letters.

    >>> corrected("coems"), corrected("inthe"), corrected("qzxv")
    (('comes',), ('in', 'the'), ('qzxv',))
    """
    if len(word) < LEAST or word in _RANK or not (word.isascii() and word.isalpha()):
        return (word,)
    near = sorted({each for each in _near(word) if each in _RANK}, key=_RANK.__getitem__)
    if near and _RANK[near[0]] < _SAID:
        return (near[0],)
    return _two(word) or tuple(near[:1]) or (word,)


def _near(word: str) -> Iterator[str]:
    """All strings with one letter more, one less, (for longer words) one replaced, or two
    neighbours swapped, that begin with the same letter: people who misspell a word get its
    beginning right."""
    for at in range(1, len(word) + 1):
        head, tail = word[:at], word[at:]
        yield from (head + letter + tail for letter in _LETTERS)
        if tail:
            yield head + tail[1:]
        if tail and len(word) > LEAST:
            yield from (head + letter + tail[1:] for letter in _LETTERS)
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
    yield word[1] + word[0] + word[2:]


def _two(word: str) -> tuple[str, ...]:
    """The two words, from our own sentences, that it is made of; () when there are none."""
    parts = [(word[:at], word[at:]) for at in range(1, len(word))]
    said = [pair for pair in parts if all(_RANK.get(part, _SAID) < _SAID for part in pair)]
    return min(said, key=lambda pair: _RANK[pair[0]] + _RANK[pair[1]], default=())
