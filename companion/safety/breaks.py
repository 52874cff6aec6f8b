"""When to propose a break: after so much talk without a pause, on the monotonic clock."""

from __future__ import annotations

PAUSE_S = 300.0
"""Silence that counts as a break taken."""


class Breaks:
    """Told of every turn; says when one has gone on for long enough."""

    def __init__(self, minutes: int) -> None:
        """minutes: of talk; 0: never."""
        self._limit_s = minutes * 60.0
        self._began = 0.0
        self._last: float | None = None

    def due(self, now: float) -> bool:
        """Whether to propose one in this turn. now: monotonic seconds. At most once per limit."""
        if self._last is None or now - self._last >= PAUSE_S:
            self._began = now
        self._last = now
        if not self._limit_s or now - self._began < self._limit_s:
            return False
        self._began = now
        return True
