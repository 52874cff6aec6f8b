from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Outcome:
    """What a campaign found."""

    figures: str = ""
    """One line."""

    violations: list[str] = field(default_factory=list)
    """What must not happen, and did. Never the words themselves."""
