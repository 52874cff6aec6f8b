"""Speaks: clauses of a reply become sound, one ahead of what is being played."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass

from companion import language
from companion.config import VoiceSection
from companion.dialog.reply import ReplyStream, TurnResult
from companion.dialog.sentences import in_two
from companion.engines.sound.protocols import Samples, Synthesizer
from companion.errors import EngineError
from companion.voice.devices.work import Work
from companion.voice.replies import FILLERS
from companion.voice.speech.earcons import thinking
from companion.voice.speech.playback import Playback
from companion.voice.turns.report import Times

logger = logging.getLogger(__name__)

AHEAD_S = 1.0
"""Sound that waits behind what is played, before the next clause is asked for: enough that no
pause is heard, and little that is computed in vain when the companion is interrupted."""

RESOUNDS_S = 0.6
"""So long after the last sound, our own words may still come back as an echo."""


@dataclass(eq=False)
class SpeechOutput:
    """One thing is said at a time. Also the `Delivery` of a reply: it knows what was heard."""

    _synthesizer: Synthesizer | None
    """Without one everything is said in silence, and stored as said."""

    _playback: Playback
    _section: VoiceSection
    _work: Work
    _now: Callable[[], float]

    def __post_init__(self) -> None:
        self._turn = asyncio.Lock()
        self._reply: ReplyStream | None = None
        self._interrupted = False
        """What is being said must not be heard any more."""

        self._closed = False
        self._times: Times | None = None
        self._fillers: deque[tuple[str, Samples]] = deque([("", thinking())])
        self._filler = ""
        """The last one that was said."""
        self._awaited: Callable[[], Times | None] = lambda: None
        self._stopping: set[asyncio.Task[None]] = set()
        self._said: list[str] = []
        self._sounded_at = float("-inf")

    @property
    def busy(self) -> bool:
        """A reply is on its way, or something is heard."""
        return self._reply is not None or self._playback.playing

    @property
    def between_clauses(self) -> bool:
        """A reply of which something was heard is not over yet, and it is not held."""
        begun = self._reply is not None and self._playback.begun
        return begun and not self._playback.paused

    @property
    def replying(self) -> bool:
        """A reply is on its way."""
        return self._reply is not None

    def audible(self) -> tuple[str, ...]:
        """What we said that may be heard right now, be it as an echo: a filler, clauses."""
        if self._now() - self._sounded_at >= RESOUNDS_S:
            return ()
        return tuple(filter(None, (self._filler, *self._said)))

    async def prepare(self) -> None:
        """Make the sounds that must be there at once. A voice that fails leaves the tones."""
        if self._synthesizer is not None:
            try:
                self._fillers = deque([(text, await self._voice(text)) for text in FILLERS])
            except EngineError as error:
                logger.error("no fillers: %s", error)

    async def reply(self, reply: ReplyStream, times: Times) -> TurnResult:
        """Speak a reply to its end, or until it is interrupted; what was heard is stored."""
        async with self._turn:
            self._begin()
            self._reply, self._times = reply, times
            if self._closed:
                await reply.stop()  # Its words are stored all the same.
            try:
                async with aclosing(reply):
                    while (clause := await self._next(reply)) is not None:
                        first = "first_clause" not in times.moments
                        times.mark("first_clause", self._now())
                        for part in in_two(clause) if first else (clause,):
                            if not self._interrupted:
                                await self._speak(part, reply)
            finally:
                self._reply = self._times = None
            return reply.result

    async def say(self, text: str) -> None:
        """Say something of our own; returns when it was heard, or cut short."""
        async with self._turn:
            self._begin()
            self._said.append(text)
            with self._work.under_way():
                samples = await self._voice(text)
            if not self._interrupted:
                self._playback.say(samples, text)
                try:
                    await self._playback.drained()
                except asyncio.CancelledError:
                    self._playback.clear()  # It was taken back.
                    raise

    def chime(self, earcon: Samples) -> None:
        """Play a short tone, where tones are wanted."""
        if self._section.earcons:
            self._playback.sound(earcon)

    @contextmanager
    def awaited(self, times: Callable[[], Times | None]) -> Iterator[None]:
        """Meanwhile the model reads what will be answered. times: of that, once it has ended;
        reading may take so long that a filler is due before there is a reply."""
        self._awaited = times
        try:
            yield
        finally:
            self._awaited = lambda: None

    def interrupt(self) -> None:
        """Be quiet from the next frame on, and stop the model."""
        self._interrupted = True
        self._playback.clear()
        if self._reply is not None:
            stopping = asyncio.create_task(self._reply.stop(), name="stop reply")
            self._stopping.add(stopping)
            stopping.add_done_callback(self._stopping.discard)

    def close(self) -> None:
        """Be quiet for good: no frame is played any more, so that nothing may wait for one."""
        self._closed = True
        self.interrupt()

    async def heard(self, said: str) -> str:
        """See `Delivery`: all of it, unless the sound was stopped."""
        if self._synthesizer is None:
            return said
        with self._work.waiting():
            await self._playback.drained()
        return self._playback.heard()

    def frame_played(self, frame: Samples) -> None:
        """Look at each frame on its way to the speaker."""
        if frame.any():
            self._sounded_at = self._now()
        times = self._times or self._awaited()
        if times is None:
            return
        if frame.any() and "first_clause" in times.moments and self._playback.begun:
            times.mark("first_sound", self._now())
        elif self._is_late(times):
            times.mark("filler", self._now())
            self._fill()

    def _begin(self) -> None:
        self._interrupted = self._closed
        self._playback.begin()
        self._said.clear()

    def _is_late(self, times: Times) -> bool:
        limit = self._section.filler_after_ms
        if not limit or times.moments.keys() & {"first_clause", "filler"}:
            return False
        return self._now() - times.speech_ended > limit / 1000

    def _fill(self) -> None:
        """The next filler; each in its turn."""
        self._filler, sound = self._fillers[0]
        self._fillers.rotate(-1)
        self._playback.sound(sound)

    async def _next(self, reply: ReplyStream) -> str | None:
        with self._work.under_way():
            clause = await anext(reply, None)
        return None if reply.stopped else clause

    async def _speak(self, clause: str, reply: ReplyStream) -> None:
        self._said.append(clause)
        try:
            with self._work.under_way():
                samples = await self._voice(clause)
        except EngineError as error:
            logger.error("a clause was not spoken: %s", error)
            return
        if not self._interrupted:
            self._playback.say(samples, clause, reply.by)
            await self._playback.room(AHEAD_S)

    async def _voice(self, text: str) -> Samples:
        if self._synthesizer is None:
            return thinking()[:0]
        return await self._synthesizer.synthesize(language.speakable.speakable(text))
