"""What the rest of the program knows of the engines for sound.

Sound is mono, 16 bit. The microphone's side runs at `MIC_RATE`, the speaker's at
`SPEAKER_RATE`; a frame lasts 32 ms on both. Time is counted in samples, never by a wall clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.int16]
"""Shape (n,): mono, 16 bit."""

MIC_RATE = 16_000
"""Samples a second of everything that is heard."""

SPEAKER_RATE = 24_000
"""Samples a second of everything that is played."""

MIC_FRAME = 512
"""Samples of a frame that is heard: 32 ms, what Silero's detector takes."""

SPEAKER_FRAME = 768
"""Samples of a frame that is played: 32 ms."""

FRAME_S = MIC_FRAME / MIC_RATE
"""Seconds of a frame."""


@dataclass(frozen=True)
class Transcript:
    """What a transcriber heard."""

    text: str
    """"" when there were no words."""

    confidence: float
    """0 to 1: the mean probability of a token. 0 when there were no words."""

    no_speech: float
    """0 to 1: how likely it was no speech at all."""

    compression: float = 1.0
    """Characters per compressed character: above 2.4 it repeats itself (whisper's own measure)."""


@runtime_checkable
class Transcriber(Protocol):
    """Speech to text. One call at a time: a second one waits for the first."""

    @property
    def name(self) -> str: ...

    async def transcribe(self, samples: Samples) -> Transcript:
        """The words in `samples` (at MIC_RATE, at most 30 s are heard). Raises EngineError.

        A cancelled caller is told once the engine has let go.
        """

    async def close(self) -> None:
        """Free the weights. Calling twice is harmless."""


@runtime_checkable
class Synthesizer(Protocol):
    """Text to speech. One call at a time: a second one waits for the first."""

    @property
    def name(self) -> str: ...

    async def synthesize(self, text: str, pace: float = 1.0) -> Samples:
        """A clause as sound at SPEAKER_RATE; shape (0,) for text without a speakable word. pace:
        of its usual one; 0.9 is slower by a tenth.
        Raises EngineError. A cancelled caller is told once the engine has let go."""

    async def close(self) -> None:
        """Free the weights. Calling twice is harmless."""


@runtime_checkable
class VoiceDetector(Protocol):
    """Tells speech from everything else, frame by frame. Quick enough for the event loop
    (well under a millisecond); keeps state from frame to frame."""

    def probability(self, frame: Samples) -> float:
        """0 to 1: how likely a frame of MIC_FRAME samples holds speech."""

    def reset(self) -> None:
        """Forget what was heard: the next frame begins something new."""


@runtime_checkable
class WakeWord(Protocol):
    """Finds a wake word in sound, without a transcript. Quick enough for the event loop (a few
    milliseconds a frame at most); keeps state from frame to frame."""

    def score(self, frame: Samples) -> float:
        """0 to 1: how likely it is that the word has just been said. frame: the next MIC_FRAME
        samples, echo taken out; speech or not, without a gap. Raises EngineError."""

    def reset(self) -> None:
        """Forget what was heard: the next frame begins something new."""


@runtime_checkable
class EchoCanceller(Protocol):
    """Takes what the speaker played out of what the microphone heard. Quick enough for the
    event loop; keeps state from frame to frame."""

    def process(self, near: Samples, far: Samples) -> Samples:
        """A clean frame. near: MIC_FRAME samples as heard; far: MIC_FRAME samples at MIC_RATE
        of what was handed to the speaker in the same 32 ms (zeros when nothing was)."""

    def reset(self) -> None:
        """Forget the room."""


class Sound(Protocol):
    """A microphone and a speaker that run in step, a frame of 32 ms at a time.

    `capture` gives the next frame and thereby the pace of everything; each frame heard allows one
    frame to be played. A device that is gone gives silence and takes what is played, until it is
    back: the loop above never stops for it.
    """

    async def capture(self) -> Samples | None:
        """The next MIC_FRAME samples; None when the sound has ended (a file)."""

    def play(self, frame: Samples) -> None:
        """Hand SPEAKER_FRAME samples to the speaker. Call it once for each frame heard."""

    @property
    def state(self) -> SoundState: ...

    async def close(self) -> None:
        """Let go of the devices. Calling twice is harmless."""


@dataclass(frozen=True)
class SoundState:
    """How a sound device fares; for `status` and for the reader of a log."""

    microphone: bool
    """It is there and gives sound."""

    speaker: bool
    overruns: int = 0
    """Frames heard and lost, because nobody took them in time."""

    underruns: int = 0
    """Frames the speaker needed and did not have in time."""

    restarts: int = 0
    names: Sequence[str] = ()
    """Of the devices in use, the microphone's first."""
