"""Whispers a word: into an earpiece where there is one, else softly through the speaker.

It never interrupts who is speaking, be it a person or the companion: it waits for 300 ms of
silence, two seconds at most, and goes then. Counted in frames, like all of sound.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import numpy as np

from companion.engines.sound.protocols import FRAME_S, SPEAKER_FRAME, Samples
from companion.voice.devices.earpiece import Earpiece
from companion.voice.speech.playback import Playback

PACE = 0.9
"""Of the voice's usual one: slower by a tenth."""

GAIN = 10 ** (-12 / 20)
"""12 dB down."""

QUIET_FRAMES = round(0.3 / FRAME_S)
MOST_FRAMES = round(2.0 / FRAME_S)

SOUNDS_ON_S = 0.6
"""So long after it, a whisper may still come back as an echo."""


def softly(samples: Samples) -> Samples:
    """A voice as loud as a whisper is."""
    return np.asarray(np.rint(samples * GAIN), dtype=np.int16)


class Whisper:
    """One whisper at a time."""

    def __init__(
        self, playback: Playback, earpiece: Earpiece | None, now: Callable[[], float]
    ) -> None:
        """playback: of the speaker, which is silent while it whispers."""
        self._playback = playback
        self._earpiece = earpiece
        self._now = now
        self._clip: Samples | None = None
        self._played = 0
        self._waited = 0
        self._quiet = 0
        self._begun = False
        self._aloud = False
        self._over = asyncio.Event()
        self._text = ""
        self._sounded_at = float("-inf")
        self.began_at: float | None = None
        """When the last one began to sound; None before that."""

    @property
    def busy(self) -> bool:
        """Something is whispered, or waits for silence."""
        return self._clip is not None

    def audible(self) -> tuple[str, ...]:
        """What the speaker whispered just now, that may be heard as an echo."""
        return (self._text,) if self._now() - self._sounded_at < SOUNDS_ON_S else ()

    async def say(self, samples: Samples, text: str) -> bool:
        """Whisper once nobody speaks; returns when it was heard. False where the earpiece is gone,
        or went meanwhile: what is meant for one ear is not said aloud instead."""
        return await self._play(samples, text, aloud=self._earpiece is None)

    async def tone(self, samples: Samples) -> None:
        """A tone instead of words; through the speaker where the earpiece is gone."""
        gone = self._earpiece is None or not self._earpiece.live
        await self._play(samples, "", aloud=gone)

    async def _play(self, samples: Samples, text: str, *, aloud: bool) -> bool:
        self._aloud, self._text, self.began_at = aloud, text, None
        self._clip, self._played, self._waited, self._begun = samples, 0, 0, False
        self._over.clear()
        try:
            await self._over.wait()
            return self._played >= len(samples)
        finally:
            self._end()

    def frame(self, own: Samples, speaks: bool) -> Samples:
        """What the speaker plays in this frame. own: of the companion's voice. speaks: whether
        somebody else speaks."""
        self._quiet = 0 if speaks or own.any() else self._quiet + 1
        piece = self._next()
        if self._earpiece is not None:
            self._earpiece.play(np.zeros(SPEAKER_FRAME, np.int16) if self._aloud else piece)
            if not self._aloud:
                return own
        if piece.any():
            self._sounded_at = self._now()
        mixed: Samples = np.clip(own.astype(np.int32) + piece, -32768, 32767).astype(np.int16)
        return mixed

    def close(self) -> None:
        """No frame will come any more."""
        self._over.set()

    def _next(self) -> Samples:
        """The next frame of the whisper; zeros while it waits, and when there is none."""
        frame = np.zeros(SPEAKER_FRAME, np.int16)
        if self._clip is None or self._over.is_set():
            return frame
        if not self._aloud and self._earpiece is not None and not self._earpiece.live:
            self._over.set()
            return frame
        if not self._begun:
            self._waited += 1
            if self._quiet < QUIET_FRAMES and self._waited < MOST_FRAMES:
                return frame
            self._begun = True
            if self._aloud:
                self._playback.pause(self)
        if self.began_at is None:
            self.began_at = self._now()
        piece = self._clip[self._played : self._played + SPEAKER_FRAME]
        frame[: len(piece)] = piece
        self._played += len(piece)
        if self._played >= len(self._clip):
            self._over.set()
        return frame

    def _end(self) -> None:
        self._clip = None
        self._playback.resume(self)
