"""How long a memory lasts without being used, by its kind (`forgetting.rule: lifespan`).

The published curve gives whatever is said once the same 4.6 days (paper section 4.4), though a
brother's name and what was for dinner are not worth the same. So a unit of strength stands for
more days or fewer: R = exp(-t / (S u)), with u such that a memory of strength 1 falls under
R = 0.01, the published R_min, when its lifespan is over. Every use still adds one to S, and so one
more lifespan.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

FOR_GOOD = math.inf
PASSING = 5.0
YEAR = 365.0
MIDDLE = 90.0
"""Lived days of a memory whose kind is not known."""

LIFESPAN: Mapping[str, float] = {
    **dict.fromkeys(("profile", "health", "birthday"), FOR_GOOD),
    **dict.fromkeys(("person", "pet", "home", "taste", "fear", "habit", "milestone"), YEAR),
    **dict.fromkeys(("relation", "preference"), YEAR),  # by the words of a draft
    "plan": MIDDLE,
    "event": 30.0,
    "mood": PASSING,
    "trivia": PASSING,
}
"""Lived days that a memory of each kind lasts when it is never used."""

LASTING = frozenset(kind for kind, days in LIFESPAN.items() if days >= YEAR)

_DATED = {"profile", "health", "birthday", "milestone", "mood", "trivia"}
"""Kinds that a date does not make an event."""

_PUBLISHED_R_MIN = 0.01


def lifespan(kind: str, *, dated: bool) -> float:
    """Lived days that a memory lasts for each unit of strength; `inf`: for good. dated: whether it
    is about a day. Then it is an event: "Grandma comes on Friday" is not about who Grandma is."""
    return LIFESPAN.get("event" if dated and kind not in _DATED else kind, MIDDLE)


def unit(kind: str, *, dated: bool) -> float:
    """u of the formula above, in lived days."""
    return lifespan(kind, dated=dated) / -math.log(_PUBLISHED_R_MIN)
