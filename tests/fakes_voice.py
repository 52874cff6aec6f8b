"""Small working stand-ins behind the protocols for sound: no weights, the same manners."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from companion.engines.sound.protocols import MIC_FRAME, SPEAKER_RATE, Samples, Transcript
from companion.errors import EngineError

FilteredTranscript = str | Transcript


class ScriptedTranscriber:
    """A Transcriber that hears what it is told to.

    `script` is a list (one per call, the last one again and again) or a function of the samples.
    Sound without a loud sample is silence: no words, and the script does not move on.
    `calls` records the samples of every other call.
    """

    def __init__(
        self,
        script: Sequence[FilteredTranscript] | Callable[[Samples], FilteredTranscript] = (
            "Hello.",
        ),
        *,
        seconds: float = 0.0,
        name: str = "scripted-ears",
    ) -> None:
        self.calls: list[Samples] = []
        self.closed = False
        self.seconds = seconds
        """How long a call takes."""

        self._script = script
        self._name = name
        self._turn = asyncio.Lock()

    @property
    def name(self) -> str:
        return self._name

    async def transcribe(self, samples: Samples) -> Transcript:
        async with self._turn:
            if self.closed:
                raise EngineError(f"{self._name}: was closed and cannot be used any more")
            await asyncio.sleep(self.seconds)
            if not _loud(samples):
                return Transcript("", confidence=0.0, no_speech=1.0)
            self.calls.append(samples)
            heard = self._next(samples)
            if isinstance(heard, Transcript):
                return heard
            return Transcript(heard, 0.9 if heard else 0.0, no_speech=0.05 if heard else 1.0)

    async def close(self) -> None:
        self.closed = True

    def _next(self, samples: Samples) -> FilteredTranscript:
        if callable(self._script):
            return self._script(samples)
        return self._script[min(len(self.calls), len(self._script)) - 1]


class ToneSynthesizer:
    """A Synthesizer that hums: 60 ms of a tone for each character. `texts` remembers them."""

    def __init__(self, *, seconds: float = 0.0, name: str = "tone") -> None:
        self.texts: list[str] = []
        self.paces: list[float] = []
        """Of each of them."""

        self.closed = False
        self.seconds = seconds
        """How long a call takes."""

        self._name = name
        self._turn = asyncio.Lock()

    @property
    def name(self) -> str:
        return self._name

    async def synthesize(self, text: str, pace: float = 1.0) -> Samples:
        async with self._turn:
            if self.closed:
                raise EngineError(f"{self._name}: was closed and cannot be used any more")
            await asyncio.sleep(self.seconds)
            if not any(letter.isalnum() for letter in text):
                return np.zeros(0, dtype=np.int16)
            self.texts.append(text)
            self.paces.append(pace)
            time = np.arange(int(len(text) * SPEAKER_RATE * 60 / pace) // 1000) / SPEAKER_RATE
            tone: Samples = (8000 * np.sin(2 * np.pi * 330 * time)).astype(np.int16)
            return tone

    async def close(self) -> None:
        self.closed = True


class EnergyDetector:
    """A VoiceDetector for which everything loud is speech."""

    def probability(self, frame: Samples) -> float:
        assert frame.shape == (MIC_FRAME,), "a frame is MIC_FRAME samples"
        return 0.95 if _loud(frame) else 0.02

    def reset(self) -> None:
        pass


class ClapWakeWord:
    """A WakeWord that is a clap: two frames in a row that are louder than anybody speaks."""

    def __init__(self, model: Path | None = None) -> None:
        """model: as an engine of the configuration is given it."""
        self.model = model
        self.broken = False
        self._claps = 0

    def score(self, frame: Samples) -> float:
        if self.broken:
            raise ValueError("broken on purpose")
        self._claps = self._claps + 1 if np.abs(frame.astype(np.int32)).max() > 20_000 else 0
        return 0.9 if self._claps >= 2 else 0.1

    def reset(self) -> None:
        self._claps = 0


def _loud(samples: Samples) -> bool:
    """A root mean square above 300, of 32,767."""
    return bool(len(samples) and np.sqrt(np.mean(samples.astype(np.float64) ** 2)) > 300)
