"""The few frames that wait for the speaker, so that neither side has to be on time."""

from __future__ import annotations

import threading
from collections import deque

_WANTED = 2
"""Frames that wait: 64 ms, what a busy event loop may be late."""

_MOST = 5
"""More would make an interruption audible for too long: it must be quiet within 200 ms."""


class SpeakerQueue:
    """Sound between the one who brings frames and the device that takes bytes.

    The two run on clocks of their own. What is too much or too little is made good where nobody
    hears it, in silence: a silent frame is dropped while too many wait, and played twice while too
    few do. Each method may be called from a thread of its own.
    """

    def __init__(self, frame_bytes: int) -> None:
        """`frame_bytes`: about how much the device plays in 32 ms; for counting."""
        self._frame_bytes = frame_bytes
        self._blocks: deque[tuple[bytes, bool]] = deque()
        self._lock = threading.Lock()
        self._begun = False
        self._flowing = False
        self._missing_bytes = 0

    @property
    def missing(self) -> int:
        """Frames that the device needed and that were not there, since the first one came."""
        return -(-self._missing_bytes // self._frame_bytes)

    @property
    def waiting(self) -> int:
        """Frames."""
        return len(self._blocks)

    def put(self, block: bytes, *, silent: bool) -> None:
        """Add a frame; the oldest is dropped when too many wait."""
        with self._lock:
            self._begun = True
            if silent and len(self._blocks) >= _WANTED:
                return
            if len(self._blocks) >= _MOST:
                self._blocks.popleft()
            self._blocks.append((block, silent))

    def take(self, size: int) -> bytes:
        """`size` bytes for the device, filled up with silence."""
        with self._lock:
            if len(self._blocks) >= _WANTED:
                self._flowing = True
            parts = self._gather(size) if self._flowing else []
            short = size - sum(map(len, parts))
            if short:
                # Wait until a few frames are there, else every frame would be late.
                self._flowing = False
                if self._begun:
                    self._missing_bytes += short
        return b"".join((*parts, bytes(short)))

    def _gather(self, size: int) -> list[bytes]:
        parts: list[bytes] = []
        while size and self._blocks:
            block, silent = self._blocks[0]
            parts.append(block[:size])
            size -= len(parts[-1])
            if silent and len(self._blocks) < _WANTED:
                continue  # it stays, and is played again
            rest = block[len(parts[-1]) :]
            if rest:
                self._blocks[0] = (rest, silent)
            else:
                self._blocks.popleft()
        return parts
