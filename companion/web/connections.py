"""Who holds a connection: how many at once, and how long. uvicorn bounds neither."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST, MOST_OF_ONE = 64, 12
"""Connections at once, of all devices and of one: others must still be let in."""

FIRST_S = 10.0
"""Until the head of a request has arrived."""

LONGEST_S = 120.0
"""From the first byte to the last: also for who reads slowly, and for an export."""

_held: Counter[str] = Counter()


class Connection(H11Protocol):
    """One connection. Its request is its only one: the door's answers close it."""

    _peer: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        if _held.total() >= MOST or _held[peer] >= MOST_OF_ONE:
            transport.abort()
            return
        self._peer = peer
        _held[peer] += 1
        self._timers = [
            self.loop.call_later(FIRST_S, self._end_if_silent),
            self.loop.call_later(LONGEST_S, transport.abort),
        ]

    def connection_lost(self, exc: Exception | None) -> None:
        if self._peer is not None:
            for timer in self._timers:
                timer.cancel()
            _held[self._peer] -= 1
            if not _held[self._peer]:
                del _held[self._peer]
            self._peer = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._peer is not None:
            super().data_received(data)

    def _should_upgrade(self) -> bool:
        return False

    def _end_if_silent(self) -> None:
        cycle: Any = self.cycle
        if cycle is None:
            self.transport.abort()
