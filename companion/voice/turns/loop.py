"""The voice loop: captures a frame, plays a frame, and takes turns.

The frame loop never waits for an engine. What takes time runs in one task per utterance, which
holds the dialog's floor from the first sound (consolidation gives way at once), has the prompt
evaluated while the person may still go on, and answers when the endpoint is certain. An utterance
that begins while the companion speaks pauses the sound; words, or lasting speech, stop it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from companion import language
from companion.config import VoiceSection
from companion.engines.sound.protocols import FRAME_S, MIC_FRAME, MIC_RATE, Samples, Sound
from companion.phases import Phases
from companion.voice.devices.gpio import Button
from companion.voice.devices.work import Work
from companion.voice.parts import VoiceParts
from companion.voice.speech.playback import Playback
from companion.voice.speech.speech_output import SpeechOutput
from companion.voice.turns.answering import Answering, Overhears
from companion.voice.turns.attention import Attention
from companion.voice.turns.audio_frontend import AudioFrontend
from companion.voice.turns.ears import Ears
from companion.voice.turns.endpoint import Began, Committed, Endpointer, Event, Tentative, Withdrawn
from companion.voice.turns.long_press import HeldButton
from companion.voice.turns.partial_transcripts import PartialTranscripts
from companion.voice.turns.paw import Paw
from companion.voice.turns.report import Outcome, Times
from companion.voice.turns.signs import Signs
from companion.voice.turns.transcript_filter import FilteredTranscript
from companion.voice.turns.utterance import Utterance
from companion.voice.turns.watched import FrameWatcher, Moment
from companion.voice.turns.whispering import PawParts

CUT_WITHIN_MS = 1500
"""An utterance that is too long is cut within this time before its end."""

Observer = Callable[[Outcome], None]


class VoiceLoop:
    """Lets a dialog listen and speak."""

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
        button: Button | None = None,
        on_outcome: Observer | None = None,
        on_live: Callable[[bool], None] | None = None,
        overheard: Overhears | None = None,
        paw: PawParts | None = None,
    ) -> None:
        """work, now: of the pace (`companion.voice.devices.pace`). button: what is said while it is
        not pressed is not listened to (push-to-talk). paw: of recall at a touch. overheard: takes
        what is said to others, while it runs. on_live: told when the microphone goes live, and when
        it is off again."""
        self._sound = sound
        self._parts = parts
        self._section = section
        self._now = now
        self.button = None if button is None else HeldButton(button)
        self._on_outcome = on_outcome
        self._endpointer = Endpointer(section)
        self._playback = Playback(section)
        self._speech_output = SpeechOutput(parts.synthesizer, self._playback, section, work, now)
        self.attention = Attention(section, persona_name, now, parts.wake_word)
        self._frontend = AudioFrontend(parts, section, now)
        self._signs = Signs(self.attention, self._speech_output, on_live)
        self._ears = Ears(parts.transcriber, section, work)
        self._partials = PartialTranscripts(parts.transcriber, work)
        shared = (self._speech_output, self._playback, self.attention, work, now)
        tell = (self._tell, overheard)
        self._paw: Paw | None = None
        if paw is not None:
            self._paw = Paw(paw, self._ears, parts.synthesizer, *shared, *tell, self._hand_over)
        self._answering = Answering(phases, *shared, *tell, self._paw)
        self.overheard = overheard
        self._utterance: Utterance | None = None
        self._attending: set[asyncio.Task[None]] = set()
        self._thinks = False
        """Somebody has ended speaking, and it is not decided yet what comes of it."""
        self._leaving = False
        self.watcher: FrameWatcher | None = None
        """Told of every frame that is played, while somebody follows; else nothing is computed."""

        self.frames = 0
        """Frames captured so far: what a watchdog looks at."""

    @property
    def idle(self) -> bool:
        """Whether nobody is speaking and nothing is being worked on or said."""
        touched = self._paw is not None and self._paw.busy
        speaks = self._endpointer.speaking or self._speech_output.busy
        return not (self._attending or speaks or touched)

    async def run(self) -> None:
        """Run until the sound ends or the task is cancelled: then it is quiet at once, and the part
        of a reply that was heard is stored. Raises the unexpected errors of a turn."""
        await self._speech_output.prepare()
        if self._paw is not None:
            self._paw.get_ready()
        try:
            while (frame := await self._sound.capture()) is not None:
                self._take(frame)
                if self._leaving and self.idle:
                    break
                for task in [task for task in self._attending if task.done()]:
                    self._attending.discard(task)
                    task.result()
        finally:
            await self._stop()

    async def say(self, text: str) -> None:
        """Say a fixed text when nobody is being answered; returns when it has been heard."""
        await self._speech_output.say(text)

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
            "button": self.button is not None,
            "devices": list(sound.names),
            "heard_s": round(self.frames * FRAME_S, 1),
            "overruns": sound.overruns,
            "underruns": sound.underruns,
            "restarts": sound.restarts,
            "live": self.attention.live,
            "awake": self.attention.awake,
            "speaking": self._playback.playing,
            **({} if self._paw is None else {"paw": self._paw.state}),
            "missing": list(self._parts.missing),
        }

    async def _stop(self) -> None:
        # No more frames will come, so tasks that wait for sound or for the end of an utterance
        # must be released. A completed utterance is still transcribed and stored.
        self._speech_output.close()
        self._abandon()
        if self._paw is not None:
            await self._paw.close()
        if self._attending:
            await asyncio.wait(self._attending)

    def _abandon(self) -> None:
        """Give up the running utterance, whose end will not be heard."""
        self._partials.end()
        if self._utterance is not None:
            self._utterance.abandon()
            self._playback.resume(self._utterance)
            self._utterance = None

    def _take(self, heard: Samples) -> None:
        """Process one captured frame, and play one. Raises SoundError when the button is gone."""
        if self.button is not None:
            self.attention.held = self.button.held(self._endpointer.speaking)
        self.attention.overhearing = self.overheard is not None and self.overheard.running
        self.frames += 1
        if self._paw is not None:
            self._paw.look()
        own = self._playback.pull()
        out = own if self._paw is None else self._paw.played(own)
        self._sound.play(out)
        self._speech_output.frame_played(own)
        self._signs.show(lambda: self.idle)
        taken = self._frontend.take(heard, out, live=self.attention.live)
        self.attention.detect_wake_word(taken[0])
        least = self._section.speech_threshold
        for frame in [taken] if self._paw is None else self._paw.takes(*taken, least):
            for event in self._endpointer.feed(*frame):
                self._on(event)
        if self.watcher is not None:
            self.watcher.frame(own, self._moment())
        self._look()

    def _moment(self) -> Moment:
        spoken, output = self._playback.spoken, self._speech_output
        meant = self.attention.awake or self.attention.called
        speaks = spoken is not None or output.between_clauses
        hears = meant and self._utterance is not None
        self._thinks &= bool(self._attending) and not speaks
        thinks = self._thinks and (meant or output.replying) and not hears
        return Moment(hears, thinks, speaks, spoken)

    def _hand_over(self) -> Awaitable[FilteredTranscript] | None:
        """Give up what is being said just now; what it is, if it is anything."""
        utterance = self._utterance
        if utterance is None:
            return None
        samples, spoken_ms = self._endpointer.so_far(), self._endpointer.speech_ms
        understanding = utterance.hand_over()
        self._endpointer.reset()
        self._abandon()
        return understanding or asyncio.ensure_future(
            self._ears.hear(samples, spoken_ms, utterance.audible)
        )

    def _on(self, event: Event) -> None:
        utterance = self._utterance
        if isinstance(event, Began):
            utterance = self._utterance = Utterance(
                interrupts=bool(self._attending) or self._speech_output.busy,
                audible=self._speech_output.audible() + (self._paw.audible() if self._paw else ()),
                began=self._now(),
            )
            self._partials.begin(utterance)
            self._playback.pause(utterance)
            self._attending.add(
                asyncio.create_task(self._answering.attend(utterance), name="attend")
            )
        elif utterance is None:
            return  # The microphone has been turned off meanwhile.
        elif isinstance(event, Tentative):
            utterance.speech_ms = self._speech_ms(event.samples)
            utterance.times = Times(self._now() - self._since(event.end))
            utterance.understand(
                event.revision, event.samples, partial(self._transcribe, utterance)
            )
        elif isinstance(event, Withdrawn):
            utterance.forget()
            if utterance.interrupts:
                self._playback.pause(utterance)
        elif isinstance(event, Committed):
            self._utterance, self._thinks = None, True
            if not utterance.interrupts:
                self._playback.resume(utterance)  # Nothing is queued, but a filler may be due.
            if utterance.times is not None:
                utterance.times.mark("endpoint", self._now())
            utterance.commit(event, partial(self._transcribe, utterance))

    def _speech_ms(self, samples: Samples) -> int:
        """Milliseconds of speech in an utterance that has just reached a possible end. One that was
        cut for its length is over already and the next one is running: it was all speech."""
        whole = len(samples) * 1000 // MIC_RATE
        longest = self._section.longest_s * 1000 - CUT_WITHIN_MS
        return whole if whole > longest else self._endpointer.speech_ms

    def _since(self, sample: int) -> float:
        """Seconds of sound since a sample was heard."""
        return (self.frames * MIC_FRAME - sample) / MIC_RATE

    def _look(self) -> None:
        """While somebody speaks, confirm an interruption or transcribe what was said so far."""
        utterance, spoken_ms = self._utterance, self._endpointer.speech_ms
        if utterance is None:
            return
        if utterance.interrupts:
            if spoken_ms >= self._section.confirm_ms and self._speech_output.busy:
                utterance.stopped_us = True
                self._speech_output.interrupt()
            return
        self._partials.look(spoken_ms, self._endpointer.so_far)

    async def _transcribe(self, utterance: Utterance, samples: Samples) -> FilteredTranscript:
        """Transcribe and filter. Whether it interrupts is decided here, before its endpoint."""
        try:
            heard = await self._ears.hear(samples, utterance.speech_ms, utterance.audible)
        except Exception:
            # The words are lost; the paused reply must not wait for them.
            self._playback.resume(utterance)
            raise
        utterance.understood_at = self._now()
        if language.turn_ends.unfinished(heard.text):
            self._endpointer.hold(utterance.revision)
        elif language.turn_ends.asks(heard.text):
            self._endpointer.hurry(utterance.revision)
        if utterance.interrupts:
            if heard.kind == "words":
                self._speech_output.interrupt()
            self._playback.resume(utterance)
        return heard

    def _tell(self, outcome: Outcome) -> None:
        self._thinks = False
        if self._on_outcome is not None:
            self._on_outcome(outcome)
