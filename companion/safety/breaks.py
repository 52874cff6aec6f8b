"""When to propose a break: after a given time of talk without a pause, on the monotonic clock."""

from __future__ import annotations

PAUSE_S = 300.0
"""Seconds of silence that count as a break."""


class Breaks:
    """Is told of every turn, and says when the child has talked for long enough."""

    def __init__(self, minutes: int) -> None:
        """minutes: of talk before a break is proposed; 0: never."""
        self._limit_s = minutes * 60.0
        self._began = 0.0
        self._last: float | None = None

    def due(self, now: float) -> bool:
        """Whether to propose a break in this turn, at most once per limit. now: monotonic
        seconds."""
        if self._last is None or now - self._last >= PAUSE_S:
            self._began = now
        self._last = now
        if not self._limit_s or now - self._began < self._limit_s:
            return False
        self._began = now
        return True
