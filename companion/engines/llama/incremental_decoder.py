"""Bytes of tokens to pieces of text that may be shown."""

from __future__ import annotations

import codecs
from collections.abc import Sequence


class Piecewise:
    """Puts characters together across tokens, and ends the text before a stop string.

    The end of the text that could become a stop string is held back until it is known.
    """

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = [stop for stop in stops if stop]
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""
        self.stopped = False
        """A stop string was met; nothing more will come."""

    def feed(self, data: bytes) -> str:
        """The text that is certain now, possibly none."""
        if self.stopped:
            return ""
        text = self._held + self._decoder.decode(data)
        ends = [at for at in (text.find(stop) for stop in self._stops) if at >= 0]
        if ends:
            self.stopped = True
            self._held = ""
            return text[: min(ends)]
        keep = max((_overlap(text, stop) for stop in self._stops), default=0)
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep]

    def rest(self) -> str:
        """What was held back, when no more bytes come. An unfinished character is dropped."""
        held, self._held = self._held, ""
        return held


def _overlap(text: str, stop: str) -> int:
    """Length of the longest end of `text` that begins `stop`."""
    for length in range(min(len(text), len(stop) - 1), 0, -1):
        if text.endswith(stop[:length]):
            return length
    return 0
