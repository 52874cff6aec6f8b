"""Whoever listens to a stream of events; one who does not read is dropped, and never waited for."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

from companion.errors import DaemonError

Event = dict[str, Any]

MOST_WAITING = 60
"""Events that may wait for one listener: three seconds of speech."""


class Listener:
    """One reader, and what it has not taken yet. Belongs to one event loop."""

    def __init__(self) -> None:
        self._waiting: deque[Event] = deque()
        self._there = asyncio.Event()
        self.dropped = False
        """It has fallen too far behind, and is told nothing more."""

    def tell(self, event: Event) -> None:
        """Never waits."""
        if len(self._waiting) >= MOST_WAITING:
            self.dropped = True
            self._waiting.clear()
        if not self.dropped:
            self._waiting.append(event)
        self._there.set()

    async def next(self, patience_s: float) -> Event | None:
        """What comes next; None when nothing has come for so long. Raises DaemonError when the
        reader has been dropped."""
        if not (self._waiting or self.dropped):
            self._there.clear()
            try:
                await asyncio.wait_for(self._there.wait(), patience_s)
            except asyncio.TimeoutError:
                return None
        if self.dropped:
            raise DaemonError("too slow: who does not read what happens is told nothing more")
        return self._waiting.popleft()
