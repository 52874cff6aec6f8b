"""What a body that follows the voice is told, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from companion.engines.sound.protocols import Samples
from companion.voice.speech.playback import Spoken


@dataclass(frozen=True)
class Moment:
    """What the voice loop does while one frame is played."""

    hears: bool
    """Somebody speaks to it."""

    thinks: bool
    """Somebody has spoken, and nothing of the answer has been heard yet."""

    speaks: bool
    """Its own words are played, or it is between two of its clauses."""

    spoken: Spoken | None
    """What is played of them; None for silence and tones."""


class FrameWatcher(Protocol):
    """Told while somebody follows; it must not take long, as the frame loop waits for it."""

    def frame(self, played: Samples, moment: Moment) -> None:
        """A frame goes to the speaker, shape (SPEAKER_FRAME,)."""
