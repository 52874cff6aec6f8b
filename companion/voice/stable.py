"""Which words of a running utterance will most likely stay: those that two transcripts share.

The local agreement of two consecutive hypotheses (Liu, Spanakis and Niehues, Interspeech 2020).
"""

from __future__ import annotations

import re

EDGES = re.compile(r"^\W+|\W+$")


class StablePrefix:
    """Feed it the transcripts of an utterance that grows."""

    def __init__(self) -> None:
        self._before: list[str] = []

    def feed(self, partial: str) -> str:
        """The words with which this transcript and the one before begin alike.

        As written in this one, whose ending is the better informed; without a mark after the last
        word, as a transcriber closes every partial sentence. Shorter than before when the
        transcriber changed its mind.
        """
        words = partial.split()
        agreed = 0
        for old, new in zip(self._before, words, strict=False):
            if _key(old) != _key(new):
                break
            agreed += 1
        self._before = words
        return " ".join(words[:agreed]).rstrip(".,;:!?…-")

    def reset(self) -> None:
        """The next transcript is of another utterance."""
        self._before = []


def _key(word: str) -> str:
    return EDGES.sub("", word).casefold()
