"""A word that is none, as the one or two words that it most likely was.

`hearing` knows what is made of the words that matter. This is for all others: a letter dropped,
doubled or swapped in "wehn he coems home", two words written as "inthe". Whether a word is one is
looked up in `known_words.txt` (written by `scripts/guard_words.py`): first the words of our own
sentences, the most frequent first, which are what children say to a guard; then, after an empty
line, words of English.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

FILE = Path(__file__).with_name("known_words.txt")
LEAST = 4
"""Letters. Shorter ones are near to too much."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _ranks() -> tuple[dict[str, int], int]:
    said, _, others = FILE.read_text(encoding="ascii").partition("\n\n")
    first = said.split()
    return {word: rank for rank, word in enumerate([*first, *others.split()])}, len(first)


_RANK, _SAID = _ranks()


def mended(word: str) -> tuple[str, ...]:
    """Lower-case letters. Unchanged when it is a word, short, or near to none.

    >>> mended("coems"), mended("inthe"), mended("qzxv")
    (('comes',), ('in', 'the'), ('qzxv',))
    """
    if len(word) < LEAST or word in _RANK or not (word.isascii() and word.isalpha()):
        return (word,)
    near = sorted({each for each in _near(word) if each in _RANK}, key=_RANK.__getitem__)
    if near and _RANK[near[0]] < _SAID:
        return (near[0],)
    return _two(word) or tuple(near[:1]) or (word,)


def _near(word: str) -> Iterator[str]:
    """All that is one letter more, less or (of longer words) other, or has two neighbours
    swapped, and begins with the same letter: whoever misspells a word knows its beginning."""
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
    """The two words of ours that it is made of; () when there are none."""
    parts = [(word[:at], word[at:]) for at in range(1, len(word))]
    said = [pair for pair in parts if all(_RANK.get(part, _SAID) < _SAID for part in pair)]
    return min(said, key=lambda pair: _RANK[pair[0]] + _RANK[pair[1]], default=())
