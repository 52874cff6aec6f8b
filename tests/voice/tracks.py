"""Sound whose every sample tells its own place, and tracks of speech probability drawn by hand."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from companion.config import VoiceSection
from companion.engines.sound.protocols import MIC_FRAME, Samples
from companion.voice.turns.endpoint import Endpointer, Event

LEVELS = {"#": 0.95, "+": 0.4, ".": 0.02}
"""A frame of a drawn track: speech, something in between, silence."""


def drawn(track: str) -> list[float]:
    """ "## 20. ##" with spaces between parts; a number repeats the sign after it."""
    levels: list[float] = []
    for part in track.split():
        count = part.rstrip("#+.")
        levels += [LEVELS[sign] for sign in part[len(count) :]] * int(count or 1)
    return levels


def frame(number: int) -> Samples:
    """The frame of this number, counted from 0; no two of the first 65,536 samples are alike."""
    first = number * MIC_FRAME
    return (np.arange(first, first + MIC_FRAME) % 65_536 - 32_768).astype(np.int16)


def sound(first: int, count: int) -> Samples:
    """So many samples of the endless sound of `frame`, from sample `first` on."""
    return (np.arange(first, first + count) % 65_536 - 32_768).astype(np.int16)


def events_of(
    track: Iterable[float], section: VoiceSection, endpointer: Endpointer | None = None
) -> list[tuple[int, Event]]:
    """Every event with the number of frames that had been fed by then."""
    endpointer = endpointer or Endpointer(section)
    return [
        (number + 1, event)
        for number, level in enumerate(track)
        for event in endpointer.feed(frame(number), level)
    ]
