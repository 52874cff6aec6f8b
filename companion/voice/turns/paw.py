"""Recall at a touch, by voice: the paw is held for a question, or pressed for what is open.

What somebody was just saying belongs to the touch: it is the context, and no turn. A new touch
takes the one before it back, and so does whoever speaks to the companion meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine

import numpy as np

from companion.engines.sound.protocols import MIC_FRAME, Samples, Synthesizer
from companion.errors import CompanionError
from companion.voice.devices.work import Work
from companion.voice.speech.playback import Playback
from companion.voice.speech.speech_output import SpeechOutput
from companion.voice.speech.whisper import Whisper
from companion.voice.turns.answering import Overhears
from companion.voice.turns.attention import Attention
from companion.voice.turns.ears import Ears
from companion.voice.turns.report import Whispered
from companion.voice.turns.touch import Touch
from companion.voice.turns.transcript_filter import FilteredTranscript
from companion.voice.turns.whispering import Frame, PawParts, Whispering

logger = logging.getLogger(__name__)

SILENCE = np.zeros(MIC_FRAME, np.int16)


class Paw:
    """One button, and what comes of its touches."""

    def __init__(
        self,
        parts: PawParts,
        ears: Ears,
        synthesizer: Synthesizer | None,
        speech_output: SpeechOutput,
        playback: Playback,
        attention: Attention,
        work: Work,
        now: Callable[[], float],
        tell: Callable[[Whispered], None],
        overheard: Overhears | None,
        hand_over: Callable[[], Awaitable[FilteredTranscript] | None],
    ) -> None:
        """hand_over: gives up what is being said just now, and tells what it was. tell: told what
        came of each touch that was not taken back."""
        self._parts = parts
        self._playback = playback
        self._attention = attention
        self._now = now
        self._hand_over = hand_over
        self._tell = tell
        self._touch = Touch()
        self._whisper = Whisper(playback, parts.earpiece, now)
        self._whispering = Whispering(
            *(parts.assists, parts.earpiece, ears, synthesizer, playback, speech_output),
            *(self._whisper, attention, work, now, overheard),
        )
        self._before: Awaitable[FilteredTranscript] | None = None
        """What was being said when it was pressed."""
        self._frames: list[Frame] = []
        """Heard since then."""
        self._given_back: list[Frame] = []
        self._speaks = False
        self._touched_at = float("-inf")
        self._request: asyncio.Task[None] | None = None
        self._ready: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._taken_back: set[asyncio.Task[None]] = set()

    @property
    def busy(self) -> bool:
        """It is pressed, or a touch is not answered yet."""
        return self._touch.down or (self._request is not None and not self._request.done())

    @property
    def state(self) -> str:
        """For `companion status`: up, pressed, or hangs."""
        return "pressed" if self._touch.down else "hangs" if self._touch.hangs else "up"

    async def over(self) -> None:
        """Returns once no request is under way."""
        while self._request is not None and not self._request.done():
            await asyncio.wait([self._request])

    def audible(self) -> tuple[str, ...]:
        """What was whispered just now, that may be heard as an echo."""
        return self._whisper.audible()

    def look(self) -> None:
        """Look at the button, once a frame. Raises SoundError when it is gone, and what was
        unexpected in a request."""
        self._settle()
        event = self._touch.feed(self._parts.button.pressed and not self._attention.paused)
        self._attention.asking = self._touch.down
        if self._attention.paused and event is not None:
            event, self._frames, self._before = None, [], None
            self._playback.resume(self)
        if event == "pressed":
            self._take_back()
            if self._reading is not None:
                self._reading.cancel()
            self._touched_at, self._before = self._now(), self._hand_over()
            self._frames = []
        elif event == "held":
            self._playback.pause(self)
        elif event == "hangs":
            logger.error(
                "voice.assist_button: pressed for half a minute: taken to hang until it comes up"
            )
            self._playback.resume(self)
            self._frames = []
        elif event == "touched":
            # What was said meanwhile to others, or to the companion, where it is listened to.
            self._given_back = self._frames if self._attention.live else []
            self._frames = []
            self._begin(None)
        elif event == "asked":
            question, self._frames = self._frames, []
            self._begin(question)

    def takes(self, frame: Samples, probability: float, least: float) -> list[Frame]:
        """What of the sound is not the paw's, to be listened to as ever. least: probability of
        speech."""
        self._speaks = probability >= least
        if self._touch.down:
            self._frames.append((frame, probability))
            return [(SILENCE, 0.0)]
        back, self._given_back = self._given_back, []
        return [*back, (frame, probability)]

    def played(self, own: Samples) -> Samples:
        """What the speaker plays: its own voice, or a whisper."""
        return self._whisper.frame(own, self._speaks)

    def spoken_to(self, began: float) -> None:
        """Words that began at this moment are meant for the companion: nobody waits for a touch
        before them any more."""
        if began > self._touched_at and not self._touch.down:
            self._take_back()

    def get_ready(self) -> None:
        """Begin to read what every request begins with."""
        reading = _quietly(self._parts.assists.get_ready())
        self._ready = asyncio.create_task(reading, name="paw, get ready")

    async def read_ahead(self, words: str) -> None:
        """Somebody says these words to others; the model is free. Raises CompanionError."""
        await self._parts.assists.read_ahead(words)

    def read_on(self) -> None:
        """They have said it: go on with that until somebody speaks, or presses."""
        if not self.busy and (self._reading is None or self._reading.done()):
            reading = _quietly(self._parts.assists.read_on())
            self._reading = asyncio.create_task(reading, name="paw, read on")

    async def close(self) -> None:
        """No more frames will come."""
        self._whisper.close()
        self._take_back()
        for task in (self._ready, self._reading):
            if task is not None:
                task.cancel()
                self._taken_back.add(task)
        if self._taken_back:
            await asyncio.wait(self._taken_back)
        if self._parts.earpiece is not None:
            await self._parts.earpiece.close()

    def _settle(self) -> None:
        done = {task for task in self._taken_back if task.done()}
        if self._request is not None and self._request.done():
            done.add(self._request)
            self._request = None
        self._taken_back -= done
        for task in done:
            if not task.cancelled():
                task.result()

    def _take_back(self) -> None:
        self._playback.resume(self)
        if self._request is not None:
            self._request.cancel()
            self._taken_back.add(self._request)
            self._request = None

    def _begin(self, question: list[Frame] | None) -> None:
        before, self._before = self._before, None
        self._request = asyncio.create_task(self._answer(before, question), name="paw")

    async def _answer(
        self, before: Awaitable[FilteredTranscript] | None, question: list[Frame] | None
    ) -> None:
        self._tell(await self._whispering.answer(before, question, self))


async def _quietly(reading: Coroutine[None, None, None]) -> None:
    """Read while nobody waits: a failure costs only that a touch takes longer."""
    try:
        await reading
    except CompanionError as error:
        logger.error("nothing read ahead for the paw: %s", error)
