"""From sound to words that can be relied on, or to what it was instead."""

from __future__ import annotations

from collections.abc import Sequence

from companion.config import VoiceSection
from companion.engines.sound.protocols import Samples, Transcriber
from companion.voice.devices.work import Work
from companion.voice.turns.transcript_filter import FilteredTranscript, judge


class Ears:
    """A transcriber with its filter."""

    def __init__(self, transcriber: Transcriber | None, section: VoiceSection, work: Work) -> None:
        """transcriber: None hears only noise."""
        self._transcriber = transcriber
        self._section = section
        self._work = work

    async def hear(
        self, samples: Samples, speech_ms: int, audible: Sequence[str]
    ) -> FilteredTranscript:
        """What somebody said. speech_ms: speech that the detector found. audible: of our own words
        what could be heard meanwhile. Raises EngineError."""
        if self._transcriber is None:
            return FilteredTranscript("noise", "", 0.0)
        with self._work.under_way():
            transcript = await self._transcriber.transcribe(samples)
        return judge(transcript, speech_ms=speech_ms, section=self._section, said=audible)
