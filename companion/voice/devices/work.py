"""What the engines are doing right now, counted: the seam between sound and simulated time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager

ROUNDS = 25
"""Turns of the event loop without work after which nothing is about to begin any: a result is
handed from task to task in fewer."""


class Work:
    """Counts calls of engines that are under way."""

    def __init__(self) -> None:
        self._calls = 0
        self._since = 0.0
        self._seconds = 0.0
        self._done = asyncio.Event()
        self._done.set()

    @property
    def seconds(self) -> float:
        """Wall seconds in which at least one call was under way."""
        running = time.perf_counter() - self._since if self._calls else 0.0
        return self._seconds + running

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Something is being computed."""
        self._begin()
        try:
            yield
        finally:
            self._end()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Within `under_way`: it waits for sound to be played, and computes nothing."""
        self._end()
        try:
            yield
        finally:
            self._begin()

    async def idle(self) -> None:
        """Wait until nothing is under way, nor about to be."""
        quiet = 0
        while quiet < ROUNDS:
            if self._calls:
                quiet = 0
                await self._done.wait()
            quiet += 1
            await asyncio.sleep(0)

    def _begin(self) -> None:
        if not self._calls:
            self._since = time.perf_counter()
            self._done.clear()
        self._calls += 1

    def _end(self) -> None:
        self._calls -= 1
        if not self._calls:
            self._seconds += time.perf_counter() - self._since
            self._done.set()
