"""What a spoken turn was, and when each of its stages was over."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

Stage = str
STAGES: tuple[Stage, ...] = (
    "endpoint",
    "transcript",
    "recall",
    "first_token",
    "first_clause",
    "first_sound",
)


@dataclass
class Times:
    """Moments of one turn, in seconds of one clock. Work that was begun while the person may
    still have gone on speaking can be over before the endpoint."""

    speech_ended: float
    moments: dict[Stage, float] = field(default_factory=dict)

    def mark(self, stage: Stage, now: float) -> None:
        """A stage is over; only the first time counts."""
        self.moments.setdefault(stage, now)

    def milliseconds(self) -> dict[str, float | None]:
        """Of each stage: from the end of speech until it was over; None when it never was."""
        return {
            f"{stage}_ms": round((self.moments[stage] - self.speech_ended) * 1000, 1)
            if stage in self.moments
            else None
            for stage in STAGES
        }


@dataclass(frozen=True)
class VoiceTurn:
    """One spoken turn: what `companion voice --json` prints."""

    heard: str
    confidence: float
    said: str
    cut: bool
    speech_ms: int
    """Length of what the person said."""

    evaluated_tokens: int
    """Prompt tokens that were left to evaluate after the endpoint."""

    recalled_tokens: int
    """Tokens of the recalled block, of which the words were the rest."""

    session: str | None
    turn: int | None
    times: Times

    def as_json(self) -> dict[str, Any]:
        """The document."""
        fields = asdict(self)
        del fields["times"]
        return {**fields, **self.times.milliseconds()}


@dataclass(frozen=True)
class Unanswered:
    """A sound that led to no turn: `why` is noise, unclear, echo, backchannel or asleep."""

    why: str
    speech_ms: int

    def as_json(self) -> dict[str, Any]:
        return {"unanswered": self.why, "speech_ms": self.speech_ms}


Outcome = VoiceTurn | Unanswered
