"""What whispers beside the speaker: a second device, or a file in its place; and a paw that is
pressed at given moments of a recording."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from companion.engines.sound.protocols import SPEAKER_RATE, Samples
from companion.voice.devices.device_process import BACKEND, DeviceProcess
from companion.voice.devices.wav_file import WavWriter


class Earpiece(Protocol):
    """A second speaker, handed a frame for each frame that is heard."""

    @property
    def live(self) -> bool:
        """Whether it is there."""

    @property
    def trouble(self) -> str:
        """Why it is not there, for a person; "" while it is."""

    def play(self, frame: Samples) -> None:
        """Hand over SPEAKER_FRAME samples. One that is gone loses them."""

    async def close(self) -> None:
        """Calling twice is harmless."""


class LiveEarpiece:
    """A device in a process of its own, which is opened again whenever it comes back."""

    def __init__(self, wanted: str, *, backend: str = BACKEND) -> None:
        """wanted: a part of its name."""
        self._device = DeviceProcess("speaker", wanted, backend=backend)
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Open it; returns when it is there or is known to be missing."""
        self._task = asyncio.create_task(self._device.run(), name="earpiece")
        await self._device.tried.wait()

    @property
    def live(self) -> bool:
        return self._device.live

    @property
    def trouble(self) -> str:
        return self._device.trouble

    def play(self, frame: Samples) -> None:
        self._device.send(frame.tobytes())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)


class WavEarpiece:
    """A file that runs in step with the recording."""

    live = True
    trouble = ""

    def __init__(self, path: Path) -> None:
        """Raises InputError when the file cannot be made."""
        self._out: WavWriter | None = WavWriter(path, SPEAKER_RATE)

    def play(self, frame: Samples) -> None:
        if self._out is not None:
            self._out.write(frame)

    async def close(self) -> None:
        if self._out is not None:
            self._out.close()
            self._out = None


class TimedButton:
    """A button that is pressed in these spans of a recording."""

    def __init__(self, spans: Sequence[tuple[float, float]], seconds: Callable[[], float]) -> None:
        """spans: seconds from the beginning of the recording. seconds: how far it has come."""
        self._spans = tuple(spans)
        self._seconds = seconds

    @property
    def pressed(self) -> bool:
        now = self._seconds()
        return any(begin <= now < end for begin, end in self._spans)

    def close(self) -> None:
        pass
