"""Reports of spoken turns: what was heard and said, and when each stage was over."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from companion.assist.assistant import Assisted

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
    """Times of one turn, in seconds of one clock. Work begun at a tentative end can be over before
    the endpoint."""

    speech_ended: float
    moments: dict[Stage, float] = field(default_factory=dict)

    def mark(self, stage: Stage, now: float) -> None:
        """Note that a stage is over; only the first call counts."""
        self.moments.setdefault(stage, now)

    def milliseconds(self) -> dict[str, float | None]:
        """For each stage, the time from the end of speech until it was over; None if it never
        was."""
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
    by: str
    """Who answered; see `companion.dialog.reply.TurnResult.by`."""

    cut: bool
    speech_ms: int
    """Length of what the person said."""

    evaluated_tokens: int
    """Prompt tokens that were left to evaluate after the endpoint."""

    recalled_tokens: int
    """How many tokens of the prompt were the recalled block, besides the person's words."""

    example_tokens: int
    """How many of them were written exchanges lent for these words."""

    session: str | None
    turn: int | None
    times: Times

    def as_json(self) -> dict[str, Any]:
        """The JSON document."""
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


@dataclass(frozen=True)
class Whispered:
    """What came of a touch of the paw."""

    held: bool
    """Whether it was a question."""

    query: str | None
    """Its words; None where there were none."""

    found: Assisted | None
    """None where nothing was looked for."""

    why: str
    """Why a tone was heard in place of words: unknown, nothing said, noise, unclear, echo,
    backchannel, given up (somebody spoke), failed, unheard (the earpiece is gone); else ""."""

    times: Times
    """Since the touch ended."""

    def as_json(self) -> dict[str, Any]:
        """The JSON document: what `companion assist --json` shows, and when."""
        found = {} if self.found is None else self.found.document
        times = self.times
        moments = {
            f"{stage}_ms": round((times.moments[stage] - times.speech_ended) * 1000, 1)
            if stage in times.moments
            else None
            for stage in ("transcript", "answer", "first_sound")
        }
        return {
            "touch": "held" if self.held else "pressed",
            "heard": self.query,
            "why": self.why,
            **found,
            **moments,
        }


Outcome = VoiceTurn | Unanswered | Whispered
