"""When words count: always, while a button is held, or for a while after a wake word."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.config import VoiceSection
from companion.engines.sound_protocols import Samples, WakeWord
from companion.errors import EngineError
from companion.voice.wake import after_wake

logger = logging.getLogger(__name__)


class Attention:
    """What of the heard is meant for the companion."""

    def __init__(
        self,
        section: VoiceSection,
        name: str,
        now: Callable[[], float],
        wake_word: WakeWord | None,
    ) -> None:
        """name: the companion's, for the default wake phrase. now: seconds. wake_word: what finds
        the word in sound; None where it is looked for in transcripts."""
        self._start = section.start
        self._phrases = section.called_by(name)
        self._awake_s = section.awake_s
        self._threshold = section.wake_threshold
        self._now = now
        self._wake_word = wake_word if section.start == "wake-phrase" else None
        self._until = float("-inf")
        self.called = False
        """The wake word was heard in sound, and nothing was answered since."""

        self.paused = False
        """Somebody turned the microphone off."""

        self.held = False
        """The button is pressed."""

    @property
    def live(self) -> bool:
        """Sound is listened to at all: what the indicator shows."""
        return not self.paused and (self._start != "push-to-talk" or self.held)

    @property
    def awake(self) -> bool:
        """Words count without a wake phrase."""
        return self._start != "wake-phrase" or self._now() < self._until

    def hear(self, frame: Samples) -> None:
        """Look for the wake word in the next frame, when an engine does that. One that fails is
        told in the log and given up: transcripts are looked at instead."""
        if self._wake_word is None:
            return
        try:
            score = self._wake_word.score(frame)
        except EngineError as error:
            logger.error("the wake phrase is looked for in transcripts: %s", error)
            self._wake_word = None
            return
        if score >= self._threshold:
            self.stay()
            self.called = True

    def stay(self) -> None:
        """Something was said by either side: go on listening for a while."""
        self._until = self._now() + self._awake_s
        self.called = False

    def accept(self, words: str) -> str | None:
        """The words that are meant for the companion, "" for the wake phrase alone; None when
        they are not meant for it."""
        if self.called:
            rest = after_wake(words, self._phrases)
            return words if rest is None else rest  # It was said, however it was written.
        if self.awake:
            return words
        return None if self._wake_word is not None else after_wake(words, self._phrases)
