"""Transcribes an utterance while it is still going on, so that the model can read ahead."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from companion.engines.sound.protocols import Samples, Transcriber
from companion.errors import EngineError
from companion.voice.devices.work import Work
from companion.voice.turns.local_agreement import LocalAgreement
from companion.voice.turns.utterance import Utterance

LOOK_MS = 1000
"""Least speech between two partial transcripts."""

RARER = 4
"""Each one transcribes everything again, so a quarter of the speech must be new."""


class PartialTranscripts:
    """Transcribes one running utterance at a time, and passes it the words on which two
    transcripts agree."""

    def __init__(self, transcriber: Transcriber | None, work: Work) -> None:
        self._transcriber = transcriber
        self._work = work
        self._utterance: Utterance | None = None
        self._stable = LocalAgreement()
        self._looked_ms = 0
        self._looking: asyncio.Task[None] | None = None

    def begin(self, utterance: Utterance) -> None:
        """Transcribe this utterance from now on."""
        self._utterance = utterance
        self._stable = LocalAgreement()
        self._looked_ms = 0

    def look(self, spoken_ms: int, so_far: Callable[[], Samples]) -> None:
        """Transcribe again, if there is enough new speech."""
        due = spoken_ms - self._looked_ms >= max(LOOK_MS, self._looked_ms // RARER)
        if due and (self._looking is None or self._looking.done()):
            self._looked_ms = spoken_ms
            self._looking = asyncio.create_task(self._see(so_far()), name="partial transcript")

    def end(self) -> None:
        """Stop transcribing the running utterance."""
        self._utterance = None
        if self._looking is not None:
            self._looking.cancel()

    async def _see(self, samples: Samples) -> None:
        utterance = self._utterance
        if self._transcriber is None or utterance is None:
            return
        try:
            with self._work.under_way():
                transcript = await self._transcriber.transcribe(samples)
        except EngineError:
            return  # The whole utterance is transcribed at its end, and a failure reported.
        if utterance is self._utterance and (words := self._stable.feed(transcript.text)):
            utterance.hint(words)
