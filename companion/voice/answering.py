"""One utterance, from its first sound to the end of the answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from companion.errors import CompanionError, EngineError
from companion.phases import Listening, Phases
from companion.voice.attention import Attention
from companion.voice.earcons import listening
from companion.voice.ears import Heard
from companion.voice.mouth import Mouth
from companion.voice.playback import Playback
from companion.voice.report import Outcome, Unanswered, VoiceTurn
from companion.voice.utterance import Utterance
from companion.voice.work import Work

logger = logging.getLogger(__name__)

MISHEARD = 2
"""Failures in a row after which the companion says that it did not understand."""

SORRY = "Sorry, I did not understand that. Can you say it again?"


class Answering:
    """Answers utterances, one after the other."""

    def __init__(
        self,
        phases: Phases,
        mouth: Mouth,
        playback: Playback,
        attention: Attention,
        work: Work,
        now: Callable[[], float],
        tell: Callable[[Outcome], None],
    ) -> None:
        self._phases = phases
        self._mouth = mouth
        self._playback = playback
        self._attention = attention
        self._work = work
        self._now = now
        self._tell = tell
        self._misheard = 0

    async def attend(self, utterance: Utterance) -> None:
        """Hold the dialog's floor while somebody makes a sound; answer, if it was words."""
        try:
            async with self._phases.listening() as ear:
                heard = await self._understood(ear, utterance)
                if heard is not None:
                    await self._answer(ear, utterance, heard)
        except CompanionError as error:
            logger.error("not answered: %s", error)
        finally:
            self._playback.resume(utterance)

    async def _understood(self, ear: Listening, utterance: Utterance) -> Heard | None:
        """What was said, once that is certain; None when nobody will hear its end. Until then the
        prompt is read for the words that are likely, and no longer than they are."""
        expected, reading = "", None
        try:
            while not utterance.over:
                words = await utterance.likely()
                if not utterance.over and words and words != expected:
                    await _stopped(reading)
                    expected = words
                    reading = asyncio.create_task(self._expect(ear, utterance, words))
            if utterance.abandoned:
                return None
            heard = await _heard(utterance)
            if reading is not None and heard.text == expected:
                await asyncio.wait([reading])
            return heard
        finally:
            await _stopped(reading)

    async def _expect(self, ear: Listening, utterance: Utterance, words: str) -> None:
        meant = self._attention.accept(words)
        if not meant:
            return
        try:
            with self._work.under_way(), self._mouth.awaited(lambda: utterance.ended):
                await ear.dialog.expect(meant)
        except CompanionError as error:
            # The answer meets it again, once the words are stored.
            logger.warning("nothing read ahead: %s", error)

    async def _answer(self, ear: Listening, utterance: Utterance, heard: Heard) -> None:
        times = utterance.times
        assert times is not None, "an utterance that is committed had a tentative end"
        times.mark("transcript", utterance.understood_at)
        meant = self._meant(heard, utterance)
        if meant is None:
            why = "asleep" if heard.kind == "words" else heard.kind
            self._tell(Unanswered(why, utterance.speech_ms))
            if (owed := ear.dialog.owed(self._mouth)) is not None:
                self._playback.resume(utterance)
                await self._mouth.reply(owed, times)
            elif why == "unclear" and self._attention.awake:
                await self._did_not_understand(utterance)
            return
        self._misheard = 0
        ear.spoken_to = True
        self._attention.stay()
        if not meant:
            self._mouth.chime(listening())
            return
        began = self._now()
        reply = ear.dialog.reply(meant, confidence=heard.confidence, delivery=self._mouth)
        self._playback.resume(utterance)
        result = await self._mouth.reply(reply, times)
        self._attention.stay()
        times.mark("recall", began + result.recall_ms / 1000)
        if result.ttft_ms:
            times.mark("first_token", began + result.ttft_ms / 1000)
        self._tell(
            VoiceTurn(
                heard=meant,
                confidence=heard.confidence,
                said=result.text,
                cut=result.cut,
                speech_ms=utterance.speech_ms,
                evaluated_tokens=result.evaluated_tokens,
                recalled_tokens=result.recalled_tokens,
                session=result.session,
                turn=result.turn,
                times=times,
            )
        )

    def _meant(self, heard: Heard, utterance: Utterance) -> str | None:
        """The words to answer, "" when only the ear is to be opened."""
        nod = heard.kind == "backchannel" and not utterance.interrupts
        if heard.kind == "words" or nod:
            return self._attention.accept(heard.text)
        if heard.kind == "echo":
            return None
        by_name = heard.kind == "unclear" and not self._attention.awake
        if self._attention.called or (by_name and self._attention.accept(heard.text) is not None):
            return ""  # It was called; what else was said has to be said again.
        return None

    async def _did_not_understand(self, utterance: Utterance) -> None:
        """Say so: at once to who made the companion stop speaking, else the second time. Who
        mumbled something while it spoke on may not have meant it."""
        if utterance.interrupts and not utterance.stopped_us:
            return
        self._misheard += 1
        if self._misheard >= MISHEARD or utterance.stopped_us:
            self._misheard = 0
            self._playback.resume(utterance)
            await self._mouth.say(SORRY)


async def _heard(utterance: Utterance) -> Heard:
    """What was said. Of ears that fail, whoever speaks learns the same as of words not understood:
    the second time in a row it is said aloud."""
    try:
        return await utterance.heard()
    except EngineError as error:
        logger.error("not understood: %s", error)
        return Heard("unclear", "", 0.0)


async def _stopped(reading: asyncio.Task[None] | None) -> None:
    """End it, and wait until the model is free. Raises what was unexpected in it."""
    if reading is not None:
        reading.cancel()
        await asyncio.wait([reading])
        if not reading.cancelled():
            reading.result()
