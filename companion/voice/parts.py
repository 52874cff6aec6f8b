"""What there is to hear and speak with: engines, and files in place of devices."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.engines.sound.protocols import (
    EchoCanceller,
    Synthesizer,
    Transcriber,
    VoiceDetector,
    WakeWord,
)


@dataclass(frozen=True)
class VoiceParts:
    """The engines for sound that are loaded."""

    transcriber: Transcriber | None
    synthesizer: Synthesizer | None
    detector: VoiceDetector | None
    canceller: EchoCanceller | None
    """None also where the configuration wants none (`voice.echo`)."""

    wake_word: WakeWord | None = None
    """None where wake phrases are looked for in transcripts."""

    missing: tuple[str, ...] = ()
    """One line for each part that should be there and is not: which, why, and what mends it."""


@dataclass(frozen=True)
class Files:
    """Sound from and into files, instead of devices."""

    heard: Path
    spoken: Path | None
    echo_db: float | None = None
    """How loud what is played is heard again; None: not at all."""

    whispered: Path | None = None
    """In place of the device that whispers; None: the speaker whispers."""

    paw: tuple[tuple[float, float], ...] = ()
    """When the paw is pressed, and when it is let go: seconds of what is heard."""
