"""The section of the configuration for recall at a touch (docs/assist.md)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from companion.config.sections import Section


class AssistSection(Section):
    """The word on the tip of the tongue: `companion assist`."""

    listen: bool = False
    """Allow `companion listen`: talk with others is overheard, and its words kept, while somebody
    has switched it on."""

    listen_minutes: int = Field(10, ge=1, le=240)
    """How long listening lasts when nobody says how long; nobody can ask for more than 240."""

    context_chars: int = Field(75, ge=10, le=2000)
    """Of what was said last, so many characters are read (75 as published)."""

    blocks: int = Field(4, ge=1, le=20)
    """Pieces of earlier talk that the model is shown."""

    order: Literal["time", "best-last"] = "time"
    """How they are ordered: as they were said, as published, or the likeliest next to the
    question, as in the dialog."""

    by: Literal["both", "cloze", "model"] = "both"
    """Who answers: rules where they can and else the model, or one of the two alone."""

    most_chars: int = Field(40, ge=8, le=200)
    """Of a whisper, at most so many characters."""

    aside_mb: int = Field(160, ge=0, le=4096)
    """Megabytes of the dialog's KV state that may be set aside during a request; of a larger one
    the window is read again in silence."""

    deadline_s: float = Field(20, gt=0, le=120)
    """Longest wall time of one call of the model."""
