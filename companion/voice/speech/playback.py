"""What the speaker plays, frame by frame, and what of it has been heard.

Nothing is played by a clock: each `pull` takes the next frame, so that pauses, cuts and the text
that was really heard are exact to the sample. Pure but for `drained` and `room`, which wait.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass

import numpy as np

from companion.config import VoiceSection
from companion.engines.sound.protocols import SPEAKER_FRAME, SPEAKER_RATE, Samples

FADE = SPEAKER_RATE * 5 // 1000
"""Samples of a fade: 5 ms are enough against a click."""

RISE = np.arange(1, FADE + 1) / (FADE + 1)
"""The gain of a fade-in, sample by sample."""

AUDIBLE = 300
"""Amplitude above which a clip is taken for voice, when its words are laid along it."""

SENTENCE_ENDS = ".!?…"
CLOSERS = "\"'”’)"


AROUND_WORDS = ".,:;!?…-–—()[]\"'“”‘’"


@dataclass(frozen=True)
class Spoken:
    """What is said right now."""

    clause: str
    by: str
    """Who says it, as in `ReplyStream.by`; "" for what the program says of itself."""

    word: str
    """The word of it that is played, by its share of the characters: a voice that does not tell
    when it says what is laid evenly along its sound."""


class _Clip:
    """Sound in the queue, and how much of it was played."""

    def __init__(self, samples: Samples, text: str, by: str = "") -> None:
        self.samples = samples
        self.text = text
        self.by = by
        self.length = len(samples)
        self.played = 0
        loud = np.flatnonzero(np.abs(samples.astype(np.int32)) > AUDIBLE)
        self._first = int(loud[0]) if text and len(loud) else 0
        self._last = int(loud[-1]) + 1 if text and len(loud) else len(samples)

    @property
    def ends_sentence(self) -> bool:
        return self.text.rstrip().rstrip(CLOSERS).endswith(tuple(SENTENCE_ENDS))

    def take(self, count: int) -> Samples:
        """The next samples, at most `count`; its sound is let go with the last one."""
        piece = self.samples[self.played : self.played + count]
        self.played += len(piece)
        if self.played == self.length:
            self.samples = piece[:0]
        return piece

    def word(self) -> str:
        """The one that is played, without the marks around it."""
        text = self.text.strip()
        at = min(self._reached(len(text)), len(text) - 1)
        begin = text.rfind(" ", 0, at) + 1
        return text[begin:].split(maxsplit=1)[0].strip(AROUND_WORDS) if text else ""

    def _reached(self, length: int) -> int:
        """Of so many characters, those that are played."""
        share = max(0, self.played - self._first) / (self._last - self._first)
        return int(share * length)

    def heard(self) -> str:
        """The words played to their end, as far as their share of the voice tells."""
        if self.played >= min(self._last, self.length):
            return self.text
        reached = self._reached(len(self.text))
        if not self.text[reached].isspace():
            reached = self.text.rfind(" ", 0, reached + 1)
        return self.text[: max(0, reached)].rstrip()


class Playback:
    """A queue of clips that is played a frame at a time. Belongs to one event loop."""

    def __init__(self, section: VoiceSection) -> None:
        self._gap = section.pause_ms * SPEAKER_RATE // 1000
        self._queue: deque[_Clip] = deque()
        self._said: list[_Clip] = []
        self._holders: set[object] = set()
        """Who wants silence. Several may speak before the first of them is understood."""
        self._rising = 0
        """Samples of a fade-in that are still to come."""
        self._tail: Samples = np.zeros(0, np.int16)
        """A fade-out that the next frame begins with."""
        self._silence_due = 0
        """Samples of silence between the sentence that was played and whatever follows."""
        self._moved = asyncio.Event()
        """Set, and followed by another one, when there is less left to play."""

    def begin(self) -> None:
        """A new reply: what `heard` tells begins here."""
        self._said.clear()

    def say(self, samples: Samples, text: str, by: str = "") -> None:
        """Queue a clause, shape (n,) at SPEAKER_RATE, with its words. by: see `Spoken`."""
        clip = _Clip(samples, text, by)
        self._said.append(clip)
        if clip.length:
            self._queue.append(clip)

    def sound(self, samples: Samples) -> None:
        """Queue sound that tells nothing: an earcon, a filler."""
        if len(samples):
            self._queue.append(_Clip(samples, ""))

    def heard(self) -> str:
        """What was played of all that was said since `begin`; of a clause that was cut, or is
        being played, the words up to there."""
        parts: list[str] = []
        for clip in self._said:
            parts.append(clip.heard().strip())
            if clip.played < clip.length:
                break
        return " ".join(part for part in parts if part)

    @property
    def begun(self) -> bool:
        """Whether anything of what was said since `begin` has been played; a filler is not said."""
        return any(clip.played for clip in self._said)

    @property
    def spoken(self) -> Spoken | None:
        """The clause that the speaker is within; None while it plays none, or is paused."""
        if self._holders or not self._mid_clip() or not self._queue[0].text:
            return None
        clip = self._queue[0]
        return Spoken(clip.text, clip.by, clip.word())

    @property
    def playing(self) -> bool:
        """Whether there is sound left to play, be it paused or not."""
        return bool(self._queue)

    @property
    def paused(self) -> bool:
        return bool(self._holders)

    @property
    def queued_s(self) -> float:
        """Seconds of sound left to play, without the silence between sentences."""
        return self._left() / SPEAKER_RATE

    def pause(self, holder: object) -> None:
        """Silent from the next frame on but for a fade, until this holder resumes; nothing is
        lost."""
        if not self._holders:
            self._fade_out()
        self._holders.add(holder)

    def resume(self, holder: object) -> None:
        """Of the last holder: go on where the first `pause` stopped. Of no holder: nothing."""
        if self._holders == {holder}:
            self._rising = FADE if self._mid_clip() else 0
        self._holders.discard(holder)

    def clear(self) -> None:
        """Drop everything. The next frame fades, the one after it is silent. What comes then is
        still held by whoever paused."""
        if not self._holders:
            self._fade_out()
        self._rising = 0
        self._silence_due = 0
        self._queue.clear()
        self._wake()

    def pull(self) -> Samples:
        """The next SPEAKER_FRAME samples for the speaker; zeros when there is nothing to play."""
        frame = np.zeros(SPEAKER_FRAME, np.int16)
        at = len(self._tail)
        frame[:at] = self._tail
        self._tail = self._tail[:0]
        if self._holders:
            self._silence_due = max(0, self._silence_due - (SPEAKER_FRAME - at))
            return frame
        while at < SPEAKER_FRAME:
            if self._silence_due:
                silent = min(self._silence_due, SPEAKER_FRAME - at)
                self._silence_due -= silent
                at += silent
            elif self._queue:
                at += self._play(frame[at:])
            else:
                break
        self._wake()
        return frame

    async def drained(self) -> None:
        """Wait until everything was played or dropped."""
        await self.room(0)

    async def room(self, seconds: float) -> None:
        """Wait until at most so many seconds are left to play."""
        most = int(seconds * SPEAKER_RATE)
        while self._left() > most:
            await self._moved.wait()

    def _play(self, room: Samples) -> int:
        """Fill the beginning of `room` from the first clip in the queue; how much it gave."""
        clip = self._queue[0]
        piece = clip.take(len(room))
        room[: len(piece)] = piece
        if self._rising:
            rising = min(self._rising, len(piece))
            gain = RISE[FADE - self._rising :][:rising]
            room[:rising] = (piece[:rising] * gain).astype(np.int16)
            self._rising -= rising
        if clip.played == clip.length:
            self._queue.popleft()
            self._silence_due = self._gap if clip.ends_sentence else 0
        return len(piece)

    def _fade_out(self) -> None:
        """Let what would come next die away. It is not taken: a pause goes on with it."""
        if self._mid_clip():
            clip = self._queue[0]
            ahead = clip.samples[clip.played :][:FADE]
            self._tail = (ahead * RISE[::-1][: len(ahead)]).astype(np.int16)

    def _mid_clip(self) -> bool:
        """Whether the speaker is within a clip right now, so that stopping would click."""
        return bool(self._queue) and self._queue[0].played > 0

    def _left(self) -> int:
        return sum(clip.length - clip.played for clip in self._queue)

    def _wake(self) -> None:
        """Let all who wait look at what is left."""
        self._moved.set()
        self._moved = asyncio.Event()
