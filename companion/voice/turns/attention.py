"""When words are meant for the companion: always, while a button is held, or after a wake word."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.config import VoiceSection
from companion.engines.sound.protocols import Samples, WakeWord
from companion.errors import EngineError
from companion.voice.turns.wake_phrase import after_wake

logger = logging.getLogger(__name__)


class Attention:
    """Decides which words are meant for the companion."""

    def __init__(
        self,
        section: VoiceSection,
        name: str,
        now: Callable[[], float],
        wake_word: WakeWord | None,
    ) -> None:
        """name: the companion's, for the default wake phrase. now: a clock in seconds. wake_word:
        the engine that finds the word in sound; None to look for it in transcripts."""
        self._start = section.start
        self._phrases = section.called_by(name)
        self._awake_s = section.awake_s
        self._threshold = section.wake_threshold
        self.speech_threshold = section.speech_threshold
        """Least probability of a frame that counts as speech."""

        self._now = now
        self._wake_word = wake_word if section.start == "wake-phrase" else None
        self._until = float("-inf")
        self.called = False
        """Whether the wake word was heard in sound and nothing has been answered since."""

        self.overhearing = False
        """Whether others are listened to (`companion listen`): words are meant for the companion
        only where it is called by name, each time."""

        self.asking = False
        """Whether the paw is pressed."""

        self.paused = False
        """Whether somebody has turned the microphone off."""

        self.held = False
        """Whether the button is pressed."""

    @property
    def live(self) -> bool:
        """Whether sound is listened to at all, which is what the indicator shows."""
        meant = self._start != "push-to-talk" or self.held or self.overhearing or self.asking
        return meant and not self.paused

    @property
    def awake(self) -> bool:
        """Whether words count without a wake phrase."""
        return self._start != "wake-phrase" or self._now() < self._until

    @property
    def must_be_called(self) -> bool:
        """Whether words are meant for others unless the companion is called first."""
        return not self.called and (self.overhearing or not self.awake) and not self.held

    def detect_wake_word(self, frame: Samples) -> None:
        """Look for the wake word in the next frame, if there is an engine for it. If the engine
        fails, this is logged and transcripts are searched from then on."""
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
        """Go on listening for a while, because either side has said something."""
        self._until = self._now() + self._awake_s
        self.called = False

    def accept(self, words: str) -> str | None:
        """The words that are meant for the companion, "" for the wake phrase alone; None when
        they are not meant for it."""
        if self.overhearing and not self.held:
            return after_wake(words, self._phrases)
        if self.called:
            rest = after_wake(words, self._phrases)
            return words if rest is None else rest  # It was called, however that was transcribed.
        if self.awake:
            return words
        return None if self._wake_word is not None else after_wake(words, self._phrases)
