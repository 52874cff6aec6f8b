"""The voice loop: hears a frame, plays a frame, and takes turns.

The frame loop never waits for an engine. What takes time runs in one task per utterance: it
holds the dialog's floor from the first sound (consolidation gives way at once), has the prompt
read while the person may still go on, and answers when the endpoint is certain. An utterance that
begins while the companion speaks pauses the sound; words, or speech that lasts, stop it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from companion.config import VoiceSection
from companion.engines.sound_protocols import FRAME_S, MIC_FRAME, MIC_RATE, Samples, Sound
from companion.phases import Phases
from companion.runtime_voice import VoiceParts
from companion.voice.answering import Answering
from companion.voice.attention import Attention
from companion.voice.ear import Ear
from companion.voice.earcons import done
from companion.voice.ears import Heard, judge
from companion.voice.endpoint import Began, Committed, Endpointer, Event, Tentative, Withdrawn
from companion.voice.foresight import Foresight
from companion.voice.mouth import Mouth
from companion.voice.playback import Playback
from companion.voice.report import Outcome, Times
from companion.voice.turns_text import asks, unfinished
from companion.voice.utterance import Utterance
from companion.voice.work import Work

CUT_WITHIN_MS = 1500
"""An utterance that is too long is cut within so much of its end."""

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
        work: Work,
        now: Callable[[], float],
        on_outcome: Observer | None = None,
        on_live: Callable[[bool], None] | None = None,
    ) -> None:
        """work, now: of the pace (`companion.voice.pace`).
        on_live: told when the microphone goes live, and when it is off again."""
        self._sound = sound
        self._parts = parts
        self._section = section
        self._work = work
        self._now = now
        self._on_outcome = on_outcome
        self._on_live = on_live
        self._live = False
        self._awake = False
        self._endpointer = Endpointer(section)
        self._playback = Playback(section)
        self._mouth = Mouth(parts.synthesizer, self._playback, section, self._work, now)
        self.attention = Attention(section, persona_name, now, parts.wake_word)
        self._ear = Ear(parts, section, now)
        self._foresight = Foresight(parts.transcriber, self._work)
        self._answering = Answering(
            phases, self._mouth, self._playback, self.attention, self._work, now, self._tell
        )
        self._utterance: Utterance | None = None
        self._attending: set[asyncio.Task[None]] = set()
        self._leaving = False
        self.frames = 0
        """Heard so far: what a watchdog looks at."""

    @property
    def idle(self) -> bool:
        """Nobody speaks, and nothing is on its way."""
        return not (self._attending or self._endpointer.speaking or self._mouth.busy)

    async def run(self) -> None:
        """Until the sound ends, or the task is cancelled: then it is quiet at once, and what
        was heard of a reply is stored. Raises what was unexpected in a turn."""
        await self._mouth.prepare()
        try:
            while (frame := await self._sound.hear()) is not None:
                self._take(frame)
                if self._leaving and self.idle:
                    break
                for task in [task for task in self._attending if task.done()]:
                    self._attending.discard(task)
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
        self._abandon()

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
            "heard_s": round(self.frames * FRAME_S, 1),
            "overruns": sound.overruns,
            "underruns": sound.underruns,
            "restarts": sound.restarts,
            "live": self.attention.live,
            "awake": self.attention.awake,
            "speaking": self._playback.playing,
            "missing": list(self._parts.missing),
        }

    async def _stop(self) -> None:
        # No frame comes any more: whoever waits for sound or for the end of an utterance would
        # wait in vain. What was said to its end is still understood, and stored.
        self._mouth.close()
        self._abandon()
        if self._attending:
            await asyncio.wait(self._attending)

    def _abandon(self) -> None:
        """Nobody hears the end of what is being said."""
        self._foresight.end()
        if self._utterance is not None:
            self._utterance.abandon()
            self._playback.resume(self._utterance)
            self._utterance = None

    def _take(self, heard: Samples) -> None:
        """One frame in, one frame out."""
        self.frames += 1
        out = self._playback.pull()
        self._sound.play(out)
        self._mouth.frame_played(out)
        self._show_live()
        self._show_asleep()
        frame, probability = self._ear.take(heard, out, live=self.attention.live)
        self.attention.hear(frame)
        for event in self._endpointer.feed(frame, probability):
            self._on(event)
        self._look()

    def _show_live(self) -> None:
        if self.attention.live != self._live:
            self._live = self.attention.live
            if self._on_live is not None:
                self._on_live(self._live)

    def _show_asleep(self) -> None:
        """Let it be heard that from now on the companion must be called."""
        awake = self.attention.awake
        if self._awake and not awake and self._live and self.idle:
            self._mouth.chime(done())
        self._awake = awake

    def _on(self, event: Event) -> None:
        utterance = self._utterance
        if isinstance(event, Began):
            utterance = self._utterance = Utterance(
                interrupts=bool(self._attending) or self._mouth.busy,
                audible=self._mouth.audible(),
            )
            self._foresight.begin(utterance)
            self._playback.pause(utterance)
            self._attending.add(
                asyncio.create_task(self._answering.attend(utterance), name="attend")
            )
        elif utterance is None:
            return  # The microphone was turned off in between.
        elif isinstance(event, Tentative):
            utterance.speech_ms = self._speech_ms(event.samples)
            utterance.times = Times(self._now() - self._since(event.end))
            utterance.understand(event.revision, event.samples, self._understand(utterance))
        elif isinstance(event, Withdrawn):
            utterance.forget()
            if utterance.interrupts:
                self._playback.pause(utterance)
        elif isinstance(event, Committed):
            self._utterance = None
            if not utterance.interrupts:
                self._playback.resume(utterance)  # Nothing waits in it, but a filler may be due.
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
        self._foresight.look(spoken_ms, self._endpointer.so_far)

    def _understand(self, utterance: Utterance) -> Callable[[Samples], asyncio.Future[Heard]]:
        def understand(samples: Samples) -> asyncio.Future[Heard]:
            return asyncio.ensure_future(self._hear(utterance, samples))

        return understand

    async def _hear(self, utterance: Utterance, samples: Samples) -> Heard:
        """Transcribe and judge. An interruption is decided here, before its endpoint."""
        try:
            heard = await self._judged(utterance, samples)
        except Exception:
            # What it was, nobody will know. Whoever is interrupted must not wait for it.
            self._playback.resume(utterance)
            raise
        if unfinished(heard.text):
            self._endpointer.hold(utterance.revision)
        elif asks(heard.text):
            self._endpointer.hurry(utterance.revision)
        if utterance.interrupts:
            if heard.kind == "words":
                self._mouth.interrupt()
            self._playback.resume(utterance)
        return heard

    async def _judged(self, utterance: Utterance, samples: Samples) -> Heard:
        transcriber = self._parts.transcriber
        if transcriber is None:
            return Heard("noise", "", 0.0)
        with self._work.under_way():
            transcript = await transcriber.transcribe(samples)
        utterance.understood_at = self._now()
        return judge(
            transcript,
            speech_ms=utterance.speech_ms,
            section=self._section,
            said=utterance.audible,
        )

    def _tell(self, outcome: Outcome) -> None:
        if self._on_outcome is not None:
            self._on_outcome(outcome)
