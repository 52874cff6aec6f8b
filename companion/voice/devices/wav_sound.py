"""Files in the place of microphone and speaker, for `companion voice` and for scenarios."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import numpy as np

from companion.engines.sound.protocols import (
    MIC_FRAME,
    MIC_RATE,
    SPEAKER_FRAME,
    SPEAKER_RATE,
    Samples,
    SoundState,
)
from companion.voice.devices.wav_file import WavWriter, read_wav
from companion.voice.turns.far_end import FarEnd


class Pace(Protocol):
    """How fast time goes when no device sets the pace."""

    async def tick(self) -> None:
        """Returns when the next frame of 32 ms is due."""


class WavSound:
    """A `Sound` that hears a recording and plays into a file.

    The file played into is in step with the recording: its n-th frame was handed over when the
    n-th frame had been heard. After the recording, silence is heard for as long as `linger` says.
    """

    def __init__(
        self,
        source: Path | Samples,
        out: Path | None,
        pace: Pace,
        *,
        echo_db: float | None = None,
        echo_delay_ms: int = 40,
    ) -> None:
        """`source`: a WAV file, or samples at MIC_RATE. `out`: a WAV file to be written at
        SPEAKER_RATE; None throws away what is played. With `echo_db` (0 or less) what is played is
        heard again, that much quieter, `echo_delay_ms` after it was handed over.

        Raises InputError when a file cannot be read or written.
        """
        self.linger: Callable[[], bool] = lambda: False
        """Asked before each frame after the recording: is there still something to wait for?"""

        self.heard_samples = 0
        """At MIC_RATE: how far time has come."""

        self._source = read_wav(source, MIC_RATE) if isinstance(source, Path) else source
        self._names = (
            str(source) if isinstance(source, Path) else "samples",
            str(out or "nothing"),
        )
        self._out = WavWriter(out, SPEAKER_RATE) if out is not None else None
        self._pace = pace
        self._echo = None if echo_db is None else _Echo(echo_db, echo_delay_ms)
        self._closed = False

    @property
    def ended(self) -> bool:
        """The whole recording was heard."""
        return self.heard_samples >= len(self._source)

    async def capture(self) -> Samples | None:
        if self._closed or (self.ended and not self.linger()):
            return None
        await self._pace.tick()
        frame = np.zeros(MIC_FRAME, np.int16)
        part = self._source[self.heard_samples : self.heard_samples + MIC_FRAME]
        frame[: len(part)] = part
        self.heard_samples += MIC_FRAME
        return frame if self._echo is None else self._echo.over(frame)

    def play(self, frame: Samples) -> None:
        if frame.shape != (SPEAKER_FRAME,):
            raise ValueError(f"a frame for the speaker has {SPEAKER_FRAME} samples")
        if self._out is not None and not self._closed:
            self._out.write(frame)
        if self._echo is not None:
            self._echo.feed(frame)

    @property
    def state(self) -> SoundState:
        return SoundState(microphone=not self._closed, speaker=not self._closed, names=self._names)

    async def close(self) -> None:
        self._closed = True
        if self._out is not None:
            self._out.close()


class _Echo:
    """A room with one hard wall."""

    def __init__(self, loudness_db: float, delay_ms: int) -> None:
        self._factor = 10 ** (loudness_db / 20)
        self._far = FarEnd()
        # A frame handed over now begins to sound when the next one is heard.
        self._length = MIC_FRAME + delay_ms * MIC_RATE // 1000
        self._on_its_way = np.zeros(self._length, np.int16)

    def feed(self, frame: Samples) -> None:
        self._on_its_way = np.concatenate((self._on_its_way, self._far.convert(frame)))

    def over(self, frame: Samples) -> Samples:
        quiet = max(0, self._length - len(self._on_its_way))  # nothing was played
        line = np.pad(self._on_its_way, (0, quiet))
        arrived, self._on_its_way = line[:MIC_FRAME], line[MIC_FRAME:]
        mixed = np.rint(frame + arrived * self._factor)
        return np.asarray(np.clip(mixed, -32768, 32767), dtype=np.int16)
