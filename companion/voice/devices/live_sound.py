"""The real microphone and speaker, each in a process that can be restarted alone."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress

import numpy as np

from companion.config import VoiceSection
from companion.engines.sound.protocols import FRAME_S, MIC_FRAME, SPEAKER_FRAME, Samples, SoundState
from companion.voice.devices.device_process import BACKEND, DeviceProcess

_MOST_WAITING = 62
"""Frames heard that wait for the loop: 2 s. Then the oldest are dropped."""

_PATIENCE_S = 0.2
"""How late a microphone that is there may be before silence is heard instead."""


class LiveSound:
    """A `Sound` over devices that may come and go.

    While there is no microphone, silence is heard at the pace of the monotonic clock; while there
    is no speaker, what is played is lost. Neither waits for the other.
    """

    def __init__(self, section: VoiceSection, *, backend: str = BACKEND) -> None:
        """`backend`: the module that opens devices, imported by the processes."""
        self._heard: deque[bytes] = deque()
        self._arrived = asyncio.Event()
        self._lost = 0
        self._microphone = DeviceProcess(
            "microphone", section.microphone, self._take, backend=backend
        )
        self._speaker = DeviceProcess("speaker", section.speaker, backend=backend)
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False
        self._last = 0.0
        self._due = 0.0

    async def start(self) -> SoundState:
        """Open the devices; returns when each is there or is known to be missing. Without this
        the first `capture` opens them, and waits for nothing."""
        self._begin()
        await asyncio.gather(self._microphone.tried.wait(), self._speaker.tried.wait())
        return self.state

    async def capture(self) -> Samples | None:
        if self._closed:
            return None
        self._begin()
        for task in self._tasks:
            if task.done():
                task.result()  # A defect: silence must not hide it.
        now = asyncio.get_running_loop().time
        while not self._heard:
            until = self._due
            if self._microphone.live:
                until = max(until, self._last + _PATIENCE_S)
            if (left := until - now()) <= 0:
                # Not more than a little is made up for after the program was held up.
                self._due = max(self._due, now() - _PATIENCE_S) + FRAME_S
                return np.zeros(MIC_FRAME, np.int16)
            await self._arrival(left)
            if self._closed:
                return None
        self._last = now()
        self._due = self._last + FRAME_S
        return np.frombuffer(self._heard.popleft(), np.int16)

    def play(self, frame: Samples) -> None:
        if frame.shape != (SPEAKER_FRAME,):
            raise ValueError(f"a frame for the speaker has {SPEAKER_FRAME} samples")
        self._speaker.send(frame.tobytes())

    @property
    def state(self) -> SoundState:
        devices = (self._microphone, self._speaker)
        return SoundState(
            microphone=self._microphone.live,
            speaker=self._speaker.live,
            overruns=self._lost + self._microphone.lost,
            underruns=self._speaker.lost,
            restarts=sum(device.restarts for device in devices),
            names=tuple(device.name or "none" for device in devices),
        )

    @property
    def troubles(self) -> tuple[str, ...]:
        """Why a device is missing, a line each: `no microphone: why`."""
        devices = (self._microphone, self._speaker)
        return tuple(f"no {d.side}: {d.trouble}" for d in devices if d.trouble)

    async def close(self) -> None:
        self._closed = True
        self._arrived.set()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begin(self) -> None:
        if not self._tasks and not self._closed:
            self._last = asyncio.get_running_loop().time()
            self._due = self._last + FRAME_S
            self._tasks = [
                asyncio.create_task(device.run()) for device in (self._microphone, self._speaker)
            ]

    def _take(self, frame: bytes) -> None:
        if len(self._heard) >= _MOST_WAITING:
            self._heard.popleft()
            self._lost += 1
        self._heard.append(frame)
        self._arrived.set()

    async def _arrival(self, longest_s: float) -> None:
        """Returns when something has come, or after so long."""
        self._arrived.clear()
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._arrived.wait(), longest_s)
