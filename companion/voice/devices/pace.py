"""How fast frames come from a file: as from a microphone, or as fast as the machine allows."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from companion.clock import ManualClock
from companion.engines.sound.protocols import FRAME_S
from companion.voice.devices.work import Work


class RealPace:
    """A frame every 32 ms, like a microphone: late frames come in a burst."""

    def __init__(self) -> None:
        self._start: float | None = None
        self._frames = 0

    async def tick(self) -> None:
        """Wait until the next frame is due."""
        if self._start is None:
            self._start = time.perf_counter()
        self._frames += 1
        due = self._start + self._frames * FRAME_S
        await asyncio.sleep(max(0.0, due - time.perf_counter()))

    def seconds(self) -> float:
        """Time, for measuring."""
        return time.perf_counter()


@dataclass(eq=False)
class SimulatedPace:
    """Sound stands still while an engine works, and else passes at once.

    What is said when no longer depends on the machine, while the time that engines took is
    still measured: `seconds` adds it to the time of the sound.
    """

    _work: Work
    _clock: ManualClock

    async def tick(self) -> None:
        """Wait until all work is done; then let the clock move by one frame."""
        await self._work.idle()
        self._clock.advance(FRAME_S)

    def seconds(self) -> float:
        """Time, for measuring."""
        return self._clock.monotonic() + self._work.seconds
