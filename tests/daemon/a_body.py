"""A body and who follows it, for the tests of what a lamp or a face is told."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any

import numpy as np

from companion.daemon.body import Body
from companion.engines.sound.protocols import SPEAKER_FRAME, Samples
from companion.voice.speech.playback import Spoken
from companion.voice.turns.watched import FrameWatcher, Moment

Event = dict[str, Any]
SILENCE: Samples = np.zeros(SPEAKER_FRAME, np.int16)
TONE: Samples = (8000 * np.sin(np.arange(SPEAKER_FRAME) * 0.3)).astype(np.int16)
AT_REST = Moment(hears=False, thinks=False, speaks=False, spoken=None)


def saying(clause: str, word: str, by: str = "model") -> Moment:
    return Moment(hears=False, thinks=False, speaks=True, spoken=Spoken(clause, by, word))


class Reader:
    """Reads a body's events beside the test."""

    def __init__(self, body: Body) -> None:
        self.events: list[Event] = []
        self._task = asyncio.create_task(self._read(body))

    async def _read(self, body: Body) -> None:
        async with aclosing(body.listen()) as events:
            async for event in events:
                self.events.append(event)

    async def settled(self) -> list[Event]:
        """All events, once nothing more comes."""
        before = -1
        while before != len(self.events):
            before = len(self.events)
            await asyncio.sleep(0.02)
        return self.events

    async def leave(self) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task


@asynccontextmanager
async def reading(body: Body) -> AsyncIterator[Reader]:
    reader = Reader(body)
    await reader.settled()
    yield reader
    await reader.leave()


class Following:
    """A voice that can be followed."""

    watcher: FrameWatcher | None = None
