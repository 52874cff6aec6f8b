"""The voice loop: hears a frame, plays a frame, and takes turns.

The frame loop never waits for an engine. What takes time runs in one task per utterance: it
holds the dialog's floor from the first sound (consolidation gives way at once), has the prompt
read while the person may still go on, and answers when the endpoint is certain. An utterance that
begins while the companion speaks pauses the sound; words, or speech that lasts, stop it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

import numpy as np

from companion.config import VoiceSection
from companion.engines.sound_protocols import MIC_FRAME, MIC_RATE, Samples, Sound
from companion.errors import CompanionError, EngineError
from companion.phases import Listening, Phases
from companion.runtime_voice import VoiceParts
from companion.voice.attention import Attention
from companion.voice.earcons import listening
from companion.voice.ears import Heard, judge
from companion.voice.endpoint import Began, Committed, Endpointer, Event, Tentative, Withdrawn
from companion.voice.far_end import FarEnd
from companion.voice.mouth import Mouth
from companion.voice.playback import Playback
from companion.voice.report import Outcome, Times, Unanswered, VoiceTurn
from companion.voice.stable import StablePrefix
from companion.voice.turns_text import unfinished
from companion.voice.utterance import Utterance
from companion.voice.work import Work

logger = logging.getLogger(__name__)

PARTIAL_MS = 1000
"""Speech between two looks at what was said so far."""

ECHO_TAIL_S = 0.25
"""How long a room still sounds after the speaker is silent (half-duplex)."""

MISHEARD = 2
"""Failures in a row after which the companion says that it did not understand."""

CUT_WITHIN_MS = 1500
"""An utterance that is too long is cut within so much of its end."""

SORRY = "Sorry, I did not understand that. Can you say it again?"

SILENCE = np.zeros(MIC_FRAME, np.int16)

Observer = Callable[[Outcome], None]


class VoiceLoop:
    """Ears and mouth around a dialog."""

    def __init__(
        self,
        sound: Sound,
        parts: VoiceParts,
        phases: Phases,
        section: VoiceSection,
        *,
        persona_name: str,
        work: Work | None = None,
        now: Callable[[], float] = time.perf_counter,
        on_outcome: Observer | None = None,
        on_live: Callable[[bool], None] | None = None,
    ) -> None:
        """work, now: of a simulated pace (`companion.voice.pace`), else the machine's own.
        on_live: told when the microphone goes live, and when it is off again."""
        self._sound = sound
        self._parts = parts
        self._phases = phases
        self._section = section
        self._work = work or Work()
        self._now = now
        self._on_outcome = on_outcome
        self._on_live = on_live
        self._live = False
        self._endpointer = Endpointer(section)
        self._playback = Playback(section)
        self._mouth = Mouth(parts.synthesizer, self._playback, section, self._work, now)
        self.attention = Attention(section, persona_name, now)
        self._far = FarEnd()
        self._utterance: Utterance | None = None
        self._answering: set[asyncio.Task[None]] = set()
        self._stable = StablePrefix()
        self._looked_ms = 0
        self._looking: asyncio.Task[None] | None = None
        self._speaker_silent_at = float("-inf")
        self._misheard = 0
        self._leaving = False
        self.frames = 0
        """Heard so far: what a watchdog looks at."""

    @property
    def idle(self) -> bool:
        """Nobody speaks, and nothing is on its way."""
        return not (self._answering or self._endpointer.speaking or self._mouth.busy)

    async def run(self) -> None:
        """Until the sound ends, or the task is cancelled: then it is quiet at once, and what
        was heard of a reply is stored. Raises what was unexpected in a turn."""
        await self._mouth.prepare()
        try:
            while (frame := await self._sound.hear()) is not None:
                self._take(frame)
                if self._leaving and self.idle:
                    break
                for task in [task for task in self._answering if task.done()]:
                    self._answering.discard(task)
                    task.result()
        finally:
            await self._stop()

    async def say(self, text: str) -> None:
        """Say something of our own, when nobody is being answered; returns when it was heard."""
        await self._mouth.say(text)

    def leave(self) -> None:
        """Let `run` end once nobody speaks."""
        self._leaving = True

    def pause(self) -> None:
        """Turn the microphone off."""
        self.attention.paused = True
        self._endpointer.reset()

    def resume(self) -> None:
        """Turn the microphone on."""
        self.attention.paused = False

    def state(self) -> dict[str, object]:
        """For `companion status`."""
        sound = self._sound.state
        return {
            "microphone": sound.microphone and not self.attention.paused,
            "speaker": sound.speaker,
            "devices": list(sound.names),
            "overruns": sound.overruns,
            "underruns": sound.underruns,
            "restarts": sound.restarts,
            "live": self.attention.live,
            "awake": self.attention.awake,
            "speaking": self._playback.playing,
            "missing": list(self._parts.missing),
        }

    async def _stop(self) -> None:
        self._mouth.interrupt()
        if self._looking is not None:
            self._looking.cancel()
        # Whoever waits for an utterance to end waits in vain; replies end by being interrupted.
        if self._utterance is not None:
            self._utterance.abandon()
        if self._answering:
            await asyncio.wait(self._answering)

    def _take(self, heard: Samples) -> None:
        """One frame in, one frame out."""
        self.frames += 1
        out = self._playback.pull()
        self._sound.play(out)
        self._mouth.frame_played(out)
        far = self._far.convert(out)
        self._show_live()
        if not self.attention.live:
            heard = SILENCE
        elif self._parts.canceller is not None:
            heard = self._parts.canceller.process(heard, far)
        probability = 0.0
        if self._parts.detector is not None and not self._is_deaf(out):
            probability = self._parts.detector.probability(heard)
        for event in self._endpointer.feed(heard, probability):
            self._on(event)
        self._look()

    def _show_live(self) -> None:
        if self.attention.live != self._live:
            self._live = self.attention.live
            if self._on_live is not None:
                self._on_live(self._live)

    def _is_deaf(self, out: Samples) -> bool:
        """Half-duplex: while the companion speaks it does not listen."""
        if out.any():
            self._speaker_silent_at = self._now() + ECHO_TAIL_S
        speaking = self._now() < self._speaker_silent_at
        return speaking and (self._section.echo == "half-duplex" or not self._section.barge_in)

    def _on(self, event: Event) -> None:
        utterance = self._utterance
        if isinstance(event, Began):
            utterance = self._utterance = Utterance(
                interrupts=bool(self._answering) or self._mouth.busy,
                audible=self._mouth.audible(),
            )
            self._stable = StablePrefix()
            self._looked_ms = 0
            self._playback.pause()
            task = asyncio.create_task(self._attend(utterance), name="attend")
            self._answering.add(task)
        elif utterance is None:
            return  # The microphone was turned off in between.
        elif isinstance(event, Tentative):
            utterance.speech_ms = self._speech_ms(event.samples)
            utterance.times = Times(self._now() - self._since(event.end))
            utterance.understand(event.revision, event.samples, self._understand(utterance))
        elif isinstance(event, Withdrawn):
            utterance.forget()
            if utterance.interrupts:
                self._playback.pause()
        elif isinstance(event, Committed):
            self._utterance = None
            if utterance.times is not None:
                utterance.times.mark("endpoint", self._now())
            utterance.commit(event, self._understand(utterance))

    def _speech_ms(self, samples: Samples) -> int:
        """Speech in an utterance that has just come to a possible end. One that was cut for its
        length is over already, and the next one running: it was speech throughout."""
        whole = len(samples) * 1000 // MIC_RATE
        longest = self._section.longest_s * 1000 - CUT_WITHIN_MS
        return whole if whole > longest else self._endpointer.speech_ms

    def _since(self, sample: int) -> float:
        """Seconds of sound since a sample was heard."""
        return (self.frames * MIC_FRAME - sample) / MIC_RATE

    def _look(self) -> None:
        """While somebody speaks: confirm an interruption, or see what was said so far."""
        utterance, spoken_ms = self._utterance, self._endpointer.speech_ms
        if utterance is None:
            return
        if utterance.interrupts:
            if spoken_ms >= self._section.confirm_ms and self._mouth.busy:
                utterance.stopped_us = True
                self._mouth.interrupt()
            return
        # Each look hears everything again: the longer it is, the less is new in it.
        due = spoken_ms - self._looked_ms >= max(PARTIAL_MS, self._looked_ms // 4)
        if due and (self._looking is None or self._looking.done()):
            self._looked_ms = spoken_ms
            self._looking = asyncio.create_task(
                self._hint(utterance, self._endpointer.so_far()), name="partial"
            )

    async def _hint(self, utterance: Utterance, samples: Samples) -> None:
        """Words that two looks agree on have been said."""
        if self._parts.transcriber is None:
            return
        try:
            with self._work.under_way():
                transcript = await self._parts.transcriber.transcribe(samples)
        except EngineError:
            return  # The whole utterance is heard again at its end, where a failure is told.
        if utterance is self._utterance and (words := self._stable.feed(transcript.text)):
            utterance.hint(words)

    def _understand(self, utterance: Utterance) -> Callable[[Samples], asyncio.Future[Heard]]:
        def understand(samples: Samples) -> asyncio.Future[Heard]:
            return asyncio.ensure_future(self._hear(utterance, samples))

        return understand

    async def _hear(self, utterance: Utterance, samples: Samples) -> Heard:
        """Transcribe and judge. An interruption is decided here, before its endpoint."""
        transcriber = self._parts.transcriber
        if transcriber is None:
            return Heard("noise", "", 0.0)
        with self._work.under_way():
            transcript = await transcriber.transcribe(samples)
        heard = judge(
            transcript,
            speech_ms=utterance.speech_ms,
            section=self._section,
            said=utterance.audible,
        )
        utterance.understood_at = self._now()
        if unfinished(heard.text):
            self._endpointer.hold(utterance.revision)
        if utterance.interrupts:
            if heard.kind == "words":
                self._mouth.interrupt()
            self._playback.resume()
        return heard

    async def _attend(self, utterance: Utterance) -> None:
        """One utterance, from its first sound to the end of the answer."""
        try:
            async with self._phases.listening() as ear:
                expected = ""
                while not utterance.over:
                    words = await utterance.likely()
                    if not utterance.over and words and words != expected:
                        expected = words
                        await self._expect(ear, words)
                if not utterance.abandoned:
                    await self._answer(ear, utterance, await utterance.heard())
        except CompanionError as error:
            logger.error("not answered: %s", error)
        finally:
            self._playback.resume()

    async def _expect(self, ear: Listening, words: str) -> None:
        meant = self.attention.accept(words)
        if meant:
            with self._work.under_way():
                await ear.dialog.expect(meant)

    async def _answer(self, ear: Listening, utterance: Utterance, heard: Heard) -> None:
        committed, times = utterance.committed, utterance.times
        assert committed is not None
        assert times is not None
        times.mark("transcript", utterance.understood_at)
        speech_ms = utterance.speech_ms
        meant = self._meant(heard, utterance)
        if meant is None:
            why = "asleep" if heard.kind == "words" else heard.kind
            self._tell(Unanswered(why, speech_ms))
            if why == "unclear" and self.attention.awake:
                await self._did_not_understand(utterance)
            return
        self._misheard = 0
        ear.spoken_to = True
        self.attention.stay()
        if not meant:
            self._playback.sound(listening())
            return
        began = self._now()
        reply = ear.dialog.reply(meant, confidence=heard.confidence, delivery=self._mouth)
        self._playback.resume()
        result = await self._mouth.reply(reply, times)
        self.attention.stay()
        times.mark("recall", began + result.recall_ms / 1000)
        if result.ttft_ms:
            times.mark("first_token", began + result.ttft_ms / 1000)
        self._tell(
            VoiceTurn(
                heard=meant,
                confidence=heard.confidence,
                said=result.text,
                cut=result.cut,
                speech_ms=speech_ms,
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
            return self.attention.accept(heard.text)
        called = heard.kind == "unclear" and not self.attention.awake
        if called and self.attention.accept(heard.text) is not None:
            return ""  # The phrase is found by ear; what else was said has to be said again.
        return None

    async def _did_not_understand(self, utterance: Utterance) -> None:
        """Say so: at once to who made the companion stop speaking, else the second time. Who
        mumbled something while it spoke on may not have meant it."""
        if utterance.interrupts and not utterance.stopped_us:
            return
        self._misheard += 1
        if self._misheard >= MISHEARD or utterance.stopped_us:
            self._misheard = 0
            self._playback.resume()
            await self._mouth.say(SORRY)

    def _tell(self, outcome: Outcome) -> None:
        if self._on_outcome is not None:
            self._on_outcome(outcome)
