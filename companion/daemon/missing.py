"""A part that is not there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Missing:
    spoken: str
    """What it means, as the companion says it itself."""

    why: str
    """What, where, what to do: for the log and for `companion status`."""

    def __str__(self) -> str:
        return f"{self.spoken} {self.why}"
