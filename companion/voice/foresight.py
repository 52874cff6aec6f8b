"""What has been said so far, while somebody still speaks: so that it can be read ahead."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from companion.engines.sound_protocols import Samples, Transcriber
from companion.errors import EngineError
from companion.voice.stable import StablePrefix
from companion.voice.utterance import Utterance
from companion.voice.work import Work

LOOK_MS = 1000
"""Speech between two looks, at least."""

RARER = 4
"""Each look hears everything again: a quarter of what was heard must be new."""


class Foresight:
    """Looks at one utterance at a time; tells it the words on which two looks agree."""

    def __init__(self, transcriber: Transcriber | None, work: Work) -> None:
        self._transcriber = transcriber
        self._work = work
        self._utterance: Utterance | None = None
        self._stable = StablePrefix()
        self._looked_ms = 0
        self._looking: asyncio.Task[None] | None = None

    def begin(self, utterance: Utterance) -> None:
        """From now on look at this one."""
        self._utterance = utterance
        self._stable = StablePrefix()
        self._looked_ms = 0

    def look(self, spoken_ms: int, so_far: Callable[[], Samples]) -> None:
        """Look, when there is enough to see that is new."""
        due = spoken_ms - self._looked_ms >= max(LOOK_MS, self._looked_ms // RARER)
        if due and (self._looking is None or self._looking.done()):
            self._looked_ms = spoken_ms
            self._looking = asyncio.create_task(self._see(so_far()), name="foresight")

    def end(self) -> None:
        """Stop looking."""
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
            return  # The whole utterance is heard again at its end, where a failure is told.
        if utterance is self._utterance and (words := self._stable.feed(transcript.text)):
            utterance.hint(words)
