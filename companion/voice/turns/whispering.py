"""Answers one touch of the paw: its words, the missing word, the whisper."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from companion import language
from companion.assist.assistant import Assisted
from companion.engines.sound.protocols import FRAME_S, Samples, Synthesizer
from companion.errors import CompanionError
from companion.voice.devices.earpiece import Earpiece
from companion.voice.devices.gpio import Button
from companion.voice.devices.work import Work
from companion.voice.speech.earcons import unknown
from companion.voice.speech.playback import Playback
from companion.voice.speech.speech_output import SpeechOutput
from companion.voice.speech.whisper import PACE, Whisper, softly
from companion.voice.turns.answering import Overhears
from companion.voice.turns.attention import Attention
from companion.voice.turns.ears import Ears
from companion.voice.turns.report import Times, Whispered
from companion.voice.turns.transcript_filter import FilteredTranscript

logger = logging.getLogger(__name__)

LEAST_MS = 96
"""Speech of a question, at least: less begins no utterance either."""

TRIES = 5
"""A cough takes the model away from a request, which is then tried again; not for ever."""

Frame = tuple[Samples, float]
"""What was heard in 32 ms, and how likely it is speech."""


class Assists(Protocol):
    """Knows the missing word."""

    async def assist(
        self,
        query: str | None,
        context: str,
        at_work: Callable[[], AbstractContextManager[None]],
    ) -> Assisted | None:
        """Of one request; None where somebody began to speak to the companion. context: "" for what
        was heard last. at_work: entered while something is computed. Raises CompanionError."""

    async def read_ahead(self, words: str) -> None:
        """Somebody is saying these words to others: read what a touch may need. Only while the
        model is free for it. Cancelling stops it soon. Raises CompanionError."""

    async def read_on(self) -> None:
        """Go on with that while nobody talks. Raises CompanionError."""

    async def get_ready(self) -> None:
        """Read what every request begins with, while nobody talks. Raises CompanionError."""


@dataclass(frozen=True)
class PawParts:
    """What a paw is made of."""

    button: Button
    assists: Assists
    earpiece: Earpiece | None
    """None: the speaker whispers."""


@dataclass(eq=False)
class Whispering:
    """Answers touches, one at a time."""

    _assists: Assists
    _earpiece: Earpiece | None
    _ears: Ears
    _synthesizer: Synthesizer | None
    _playback: Playback
    _speech_output: SpeechOutput
    _whisper: Whisper
    _attention: Attention
    _work: Work
    _now: Callable[[], float]
    _overheard: Overhears | None

    async def answer(
        self,
        before: Awaitable[FilteredTranscript] | None,
        question: list[Frame] | None,
        holder: object,
    ) -> Whispered:
        """before: what was being said when it was pressed. question: what was heard while it was
        held; None where it was only pressed. holder: of the pause of the companion's own voice."""
        times, query, why = Times(self._now()), None, ""
        try:
            context = await self._context(before)
            if question is not None:
                query, why = await self._asked(question)
                times.mark("transcript", self._now())
        except CompanionError as error:
            logger.error("a question at the paw was not understood: %s", error)
            why = "failed"
        finally:
            self._playback.resume(holder)
        found: Assisted | None = None
        if not why:
            found, why = await self._found(query, context)
            times.mark("answer", self._now())
        if found is not None and not found.unknown:
            why = await self._say(found.answer)
        if why:
            await self._whisper.tone(unknown())
        if self._whisper.began_at is not None:
            times.mark("first_sound", self._whisper.began_at)
        return Whispered(question is not None, query, found, why, times)

    async def _context(self, before: Awaitable[FilteredTranscript] | None) -> str:
        """What was being said; "" for what was heard before. Raises EngineError, StoreError."""
        heard = None if before is None else await before
        if heard is None or heard.kind != "words":
            return ""
        if self._overheard is not None and self._overheard.running:
            await self._overheard.hear(heard.text)
            return ""
        return heard.text

    async def _asked(self, question: list[Frame]) -> tuple[str | None, str]:
        """The words of a question, or why there are none. Raises EngineError."""
        least = self._attention.speech_threshold
        spoken_ms = round(sum(p >= least for _, p in question) * FRAME_S * 1000)
        if spoken_ms < LEAST_MS:
            return None, "nothing said"
        samples = np.concatenate([frame for frame, _ in question])
        said = (*self._speech_output.audible(), *self._whisper.audible())
        heard = await self._ears.hear(samples, spoken_ms, said)
        if heard.kind != "words":
            return None, heard.kind
        if self._speech_output.busy:
            self._speech_output.interrupt()
        return heard.text, ""

    async def _found(self, query: str | None, context: str) -> tuple[Assisted | None, str]:
        """The answer, and why nothing is whispered where nothing is."""
        try:
            for _ in range(TRIES):
                found = await self._assists.assist(query, context, self._work.under_way)
                if found is not None:
                    return found, "unknown" if found.unknown else ""
        except CompanionError as error:
            logger.error("a touch of the paw was not answered: %s", error)
            return None, "failed"
        return None, "given up"

    async def _say(self, text: str) -> str:
        """Whisper it; why it was not heard, if it was not."""
        if self._synthesizer is None:
            return "failed"
        earpiece = self._earpiece
        if earpiece is not None and not earpiece.live:
            logger.error("voice.assist_speaker is gone, nothing whispered: %s", earpiece.trouble)
            return "unheard"
        try:
            with self._work.under_way():
                words = language.speakable.speakable(text)
                samples = softly(await self._synthesizer.synthesize(words, PACE))
        except CompanionError as error:
            logger.error("a word was not whispered: %s", error)
            return "failed"
        return "" if await self._whisper.say(samples, text) else "unheard"
