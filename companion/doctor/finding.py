"""What a look at something found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warn", "bad"]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    name: str
    level: Level
    what: str
    mend: str = ""
    """What to do, when `level` is not ok. Empty when `what` says it already."""
