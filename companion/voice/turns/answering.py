"""Handles one utterance, from its first sound to the end of the answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from companion.errors import CompanionError, EngineError
from companion.phases import Listening, Phases
from companion.voice.devices.work import Work
from companion.voice.replies import SORRY
from companion.voice.speech.earcons import listening
from companion.voice.speech.playback import Playback
from companion.voice.speech.speech_output import SpeechOutput
from companion.voice.turns.attention import Attention
from companion.voice.turns.report import Outcome, Unanswered, VoiceTurn
from companion.voice.turns.transcript_filter import FilteredTranscript
from companion.voice.turns.utterance import Utterance

logger = logging.getLogger(__name__)

MISHEARD = 2
"""Failures in a row after which the companion says that it did not understand."""


class Overhears(Protocol):
    """Takes what is said to others, while somebody has switched that on."""

    @property
    def running(self) -> bool: ...

    async def hear(self, text: str) -> None:
        """Raises EngineError, StoreError."""


class Touches(Protocol):
    """The paw, as far as who speaks has to do with it."""

    @property
    def busy(self) -> bool:
        """A touch is not answered yet."""

    async def over(self) -> None:
        """Returns once none is."""

    def spoken_to(self, began: float) -> None:
        """Words that began then are meant for the companion."""

    async def read_ahead(self, words: str) -> None:
        """Others are saying these words; the model is free. Raises CompanionError."""

    def read_on(self) -> None:
        """They have said them."""


@dataclass(eq=False)
class Answering:
    """Answers utterances, one after the other."""

    _phases: Phases
    _speech_output: SpeechOutput
    _playback: Playback
    _attention: Attention
    _work: Work
    _now: Callable[[], float]
    _tell: Callable[[Outcome], None]
    _overheard: Overhears | None = None
    _touches: Touches | None = None
    _misheard: int = field(default=0, init=False)

    async def attend(self, utterance: Utterance) -> None:
        """Hold the dialog's floor while somebody makes a sound; answer if it was words."""
        try:
            await self._let_whisper(utterance)
            async with self._phases.listening() as floor:
                heard = await self._understood(floor, utterance)
                if heard is not None:
                    await self._answer(floor, utterance, heard)
        except CompanionError as error:
            logger.error("not answered: %s", error)
        finally:
            self._playback.resume(utterance)

    async def _let_whisper(self, utterance: Utterance) -> None:
        """While words are meant for others until the companion is called, they take nothing from a
        touch of the paw that is being answered."""
        touches = self._touches
        if touches is None or not touches.busy or not self._attention.must_be_called:
            return
        ended = asyncio.ensure_future(touches.over())
        try:
            while not (ended.done() or utterance.abandoned):
                likely = asyncio.ensure_future(utterance.likely())
                await asyncio.wait({ended, likely}, return_when=asyncio.FIRST_COMPLETED)
                if not likely.done():
                    likely.cancel()
                elif (words := likely.result()) and self._attention.accept(words) is not None:
                    utterance.hint(words)
                    return
        finally:
            ended.cancel()

    async def _understood(
        self, floor: Listening, utterance: Utterance
    ) -> FilteredTranscript | None:
        """The transcript, once the endpoint is certain; None when the utterance is abandoned. Until
        then the prompt is evaluated for the likely words, for as long as they stay likely."""
        expected, reading = "", None
        try:
            while not utterance.over:
                words = await utterance.likely()
                if not utterance.over and words and words != expected:
                    await _stopped(reading)
                    expected = words
                    reading = asyncio.create_task(self._expect(floor, utterance, words))
            if utterance.abandoned:
                return None
            heard = await _heard(utterance)
            meant = self._attention.accept(heard.text) is not None
            if reading is not None and meant and heard.text == expected:
                await asyncio.wait([reading])
            return heard
        finally:
            await _stopped(reading)

    async def _expect(self, floor: Listening, utterance: Utterance, words: str) -> None:
        meant = self._attention.accept(words)
        try:
            if meant is None and self._attention.overhearing and self._touches is not None:
                with self._work.under_way():
                    await self._touches.read_ahead(words)
            if not meant:
                return
            with self._work.under_way(), self._speech_output.awaited(lambda: utterance.ended):
                await floor.dialog.expect(meant)
        except CompanionError as error:
            # The answer will run into the same error, after the words have been stored.
            logger.warning("nothing read ahead: %s", error)

    async def _answer(
        self, floor: Listening, utterance: Utterance, heard: FilteredTranscript
    ) -> None:
        times = utterance.times
        assert times is not None, "an utterance that is committed had a tentative end"
        times.mark("transcript", utterance.understood_at)
        meant = self._meant(heard, utterance)
        if meant is None and heard.kind == "words" and await self._overhears(heard.text):
            self._tell(Unanswered("overheard", utterance.speech_ms))
            return
        if meant is None:
            why = "asleep" if heard.kind == "words" else heard.kind
            self._tell(Unanswered(why, utterance.speech_ms))
            if (crisis_reply := floor.dialog.pending_crisis_reply(self._speech_output)) is not None:
                self._playback.resume(utterance)
                await self._speech_output.reply(crisis_reply, times)
            elif why == "unclear" and self._attention.awake:
                await self._did_not_understand(utterance)
            return
        self._misheard = 0
        floor.spoken_to = True
        self._attention.stay()
        if self._touches is not None:
            self._touches.spoken_to(utterance.began)
        if not meant:
            self._speech_output.chime(listening())
            return
        began = self._now()
        reply = floor.dialog.reply(meant, confidence=heard.confidence, delivery=self._speech_output)
        self._playback.resume(utterance)
        result = await self._speech_output.reply(reply, times)
        self._attention.stay()
        times.mark("recall", began + result.recall_ms / 1000)
        if result.ttft_ms:
            times.mark("first_token", began + result.ttft_ms / 1000)
        self._tell(
            VoiceTurn(
                heard=meant,
                confidence=heard.confidence,
                said=result.text,
                by=result.by,
                cut=result.cut,
                speech_ms=utterance.speech_ms,
                evaluated_tokens=result.evaluated_tokens,
                recalled_tokens=result.recalled_tokens,
                example_tokens=result.example_tokens,
                session=result.session,
                turn=result.turn,
                times=times,
            )
        )

    async def _overhears(self, text: str) -> bool:
        """Hand words to whoever listens to others, if anybody does. A failure loses the words."""
        if self._overheard is None or not self._attention.overhearing:
            return False
        try:
            await self._overheard.hear(text)
            if self._touches is not None:
                self._touches.read_on()
        except CompanionError as error:
            logger.error("not kept: %s", error)
        return True

    def _meant(self, heard: FilteredTranscript, utterance: Utterance) -> str | None:
        """The words to answer; "" when the companion was only called; None for no answer."""
        nod = heard.kind == "backchannel" and not utterance.interrupts
        if heard.kind == "words" or nod:
            return self._attention.accept(heard.text)
        if heard.kind == "echo":
            return None
        by_name = heard.kind == "unclear" and not self._attention.awake
        if self._attention.called or (by_name and self._attention.accept(heard.text) is not None):
            return ""  # It was called, but the rest has to be said again.
        return None

    async def _did_not_understand(self, utterance: Utterance) -> None:
        """Say that the words were not understood: at once if they made the companion stop speaking,
        otherwise the second time in a row. Somebody who mumbles while it goes on speaking may not
        have meant it."""
        if utterance.interrupts and not utterance.stopped_us:
            return
        self._misheard += 1
        if self._misheard >= MISHEARD or utterance.stopped_us:
            self._misheard = 0
            self._playback.resume(utterance)
            await self._speech_output.say(SORRY)


async def _heard(utterance: Utterance) -> FilteredTranscript:
    """The transcript. A failure of the transcriber counts as words that were not understood, so
    the speaker is told the second time in a row."""
    try:
        return await utterance.heard()
    except EngineError as error:
        logger.error("not understood: %s", error)
        return FilteredTranscript("unclear", "", 0.0)


async def _stopped(reading: asyncio.Task[None] | None) -> None:
    """Stop reading ahead, and wait until the model is free. Raises its unexpected errors."""
    if reading is not None:
        reading.cancel()
        await asyncio.wait([reading])
        if not reading.cancelled():
            reading.result()
