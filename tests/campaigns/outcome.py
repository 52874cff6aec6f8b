from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Outcome:
    """What a campaign found."""

    figures: str = ""
    """One line."""

    report: dict[str, Any] = field(default_factory=dict)
    """More than fits a line, for --json."""

    violations: list[str] = field(default_factory=list)
    """What must not happen, and did. Never the words themselves."""
