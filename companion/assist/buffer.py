"""What was said last, and what has fallen out of it.

The last characters of a talk are its context (75 as published), cut at a word. What falls out is
gathered into blocks, which end with a sentence and have 60 to 200 characters. Pure: no clock, no
store. The same words give the same blocks however they were cut into transcripts.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from companion import language

LEAST = 60
MOST = 200
"""Characters of a block."""

MOST_READ = 4_000
"""Characters of a context that are looked at, from its end: a megabyte costs no more."""


def tail(text: str, characters: int) -> str:
    """The last characters of a text on one line, from the beginning of a word on; a word that is
    longer than that is cut."""
    words = " ".join(text[-MOST_READ:].split())
    if len(words) <= characters:
        return words
    cut = words[-characters:]
    if words[-characters - 1] == " ":
        return cut
    _, blank, rest = cut.partition(" ")
    return rest if blank else cut


@dataclass(frozen=True)
class Piece:
    """A block that is not stored yet."""

    text: str
    time: datetime
    """Of its first word."""


class Buffer:
    """The context of a talk that is listened to."""

    def __init__(self, characters: int) -> None:
        """characters: the most that `context` has."""
        self._characters = characters
        self._heard: list[tuple[str, datetime]] = []
        """Words that are in no block yet, each with its time."""

    @property
    def context(self) -> str:
        """What was said last."""
        return tail(self._text, self._characters)

    def add(self, text: str, time: datetime) -> list[Piece]:
        """Take in what was heard at a time; the blocks that are full now."""
        self._heard += [(word, time) for word in text.split()]
        found = []
        while (block := self._fallen()) is not None:
            found.append(block)
        return found

    def end(self) -> list[Piece]:
        """The rest as blocks, when listening ends. Nothing is left."""
        found = []
        while self._heard:
            found.append(self._take(len(self._heard)))
        return found

    def clear(self) -> None:
        """Forget what is in no block."""
        self._heard = []

    @property
    def _text(self) -> str:
        return " ".join(word for word, _ in self._heard)

    def _fallen(self) -> Piece | None:
        """The next block, once the context has left its words behind."""
        outside = len(self._text) - self._characters
        if outside < LEAST:
            return None
        ends = self._ends()
        first = next((count for count, length in ends if LEAST <= length <= outside), None)
        if first is not None:
            return self._take(first)
        return self._take(len(self._heard)) if outside >= MOST else None

    def _take(self, most: int) -> Piece:
        """At most so many words, at most `MOST` characters, up to the end of a sentence if there
        is one that is late enough."""
        fits, length = 0, -1
        for word, _ in self._heard[:most]:
            if length + 1 + len(word) > MOST and fits:
                break
            fits, length = fits + 1, length + 1 + len(word)
        ends = [count for count, at in self._ends() if at >= LEAST and count <= fits]
        count = ends[-1] if ends else fits
        words, self._heard = self._heard[:count], self._heard[count:]
        return Piece(" ".join(word for word, _ in words), words[0][1])

    def _ends(self) -> list[tuple[int, int]]:
        """Where sentences end: how many words, and how many characters, are before it."""
        text, found = self._text, []
        for _, end in language.sentences.spans(text):
            found.append((text[:end].count(" ") + 1, end))
        return found


def pieces(text: str, time: datetime) -> list[Piece]:
    """A whole text as blocks."""
    buffer = Buffer(0)
    return [*buffer.add(text, time), *buffer.end()]
