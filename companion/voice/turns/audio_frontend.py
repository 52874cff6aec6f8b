"""Echo cancellation and voice activity detection for the microphone's frames."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from companion.config import VoiceSection
from companion.engines.sound.protocols import MIC_FRAME, Samples
from companion.voice.parts import VoiceParts
from companion.voice.turns.far_end import FarEnd

ECHO_TAIL_S = 0.25
"""How long a room goes on sounding after the speaker has fallen silent (half-duplex)."""

SILENCE = np.zeros(MIC_FRAME, np.int16)


class AudioFrontend:
    """Removes the companion's own voice from each frame, or mutes the frame while it speaks."""

    def __init__(self, parts: VoiceParts, section: VoiceSection, now: Callable[[], float]) -> None:
        self._parts = parts
        self._shuts = section.echo == "half-duplex" or not section.barge_in
        self._now = now
        self._far = FarEnd()
        self._shut_until = float("-inf")

    def take(self, heard: Samples, played: Samples, *, live: bool) -> tuple[Samples, float]:
        """The cleaned frame, and its probability of speech.

        played: what was sent to the speaker in the same 32 ms. live: whether the microphone counts.
        """
        far = self._far.convert(played)
        if played.any():
            self._shut_until = self._now() + ECHO_TAIL_S
        if not live:
            return SILENCE, 0.0
        if self._parts.canceller is not None:
            heard = self._parts.canceller.process(heard, far)
        if self._parts.detector is None or (self._shuts and self._now() < self._shut_until):
            return heard, 0.0
        return heard, self._parts.detector.probability(heard)
