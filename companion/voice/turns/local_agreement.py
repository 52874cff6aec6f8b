"""Finds the words of a running utterance that are stable, because two transcripts agree on them.

The local agreement of two consecutive hypotheses (Liu, Spanakis and Niehues, Interspeech 2020).
"""

from __future__ import annotations

import re

EDGES = re.compile(r"^\W+|\W+$")


class LocalAgreement:
    """Takes the successive transcripts of a growing utterance."""

    def __init__(self) -> None:
        self._before: list[str] = []

    def feed(self, partial: str) -> str:
        """The common beginning, in words, of this transcript and the one before.

        It is spelled as in this transcript, which has heard more, and without punctuation after the
        last word, because a transcriber closes every partial sentence. It can be shorter than
        before when the transcriber has revised its words.
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
        """Start over: the next transcript is of another utterance."""
        self._before = []


def _key(word: str) -> str:
    return EDGES.sub("", word).casefold()
