"""A part that is not there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Missing:
    spoken: str
    """What it means, as the companion says it itself."""

    why: str
    """What, where, what to do: for the log and for `companion status`."""

    still: Callable[[], bool] = lambda: True
    """Whether it still is: a microphone may have been plugged in meanwhile."""

    def __str__(self) -> str:
        return f"{self.spoken} {self.why}"
