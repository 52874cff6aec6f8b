"""What the companion can do, as code knows it.

Said to the model in one line of the prompt's head, and asked by `companion.dialog.honesty` about
every sentence of the model. Nothing here depends on the moment, except what a turn adds (`voice`).
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.language.types import Claim, ClaimKind


@dataclass(frozen=True)
class Abilities:
    """No eyes, no body, no internet and nobody it could call: of that nothing is configured."""

    skills: frozenset[str] = frozenset()
    """The small programs that are on, by name: "timers", "stories", "games", "clock". They answer
    before the model does, so that what the model itself claims to have set is still untrue."""

    knows_day: bool = False
    """The prompt says which day and part of the day it is."""

    voice: bool = True
    """Whether this turn is spoken, not typed."""

    def can(self, kind: ClaimKind) -> bool:
        """Whether the model may do, or tell, this kind of thing itself."""
        return kind == "date" and self.knows_day

    def allows(self, claim: Claim) -> bool:
        """Whether what a sentence claims is true."""
        able = claim.kind != "sings" and self.skilled(claim.kind)  # a rhyme is no song
        return self.can(claim.kind) or (claim.of_ability and able)

    def skilled(self, kind: ClaimKind) -> bool:
        """Whether a skill does something of this kind when it is asked for in its own words."""
        return bool(self.skills & SKILLS_FOR.get(kind, frozenset()))


ONLY_TALK = Abilities()
"""What it can do where no skill is on."""

SKILLS_FOR: dict[ClaimKind, frozenset[str]] = {
    "timer": frozenset({"timers"}),
    "time": frozenset({"clock", "time"}),
    "date": frozenset({"clock", "time"}),
    "sings": frozenset({"songs", "rhymes"}),
}
"""Names of skills by what they make possible."""
