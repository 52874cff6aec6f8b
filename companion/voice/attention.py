"""When words count: always, while a button is held, or for a while after a wake phrase."""

from __future__ import annotations

from collections.abc import Callable

from companion.config import VoiceSection
from companion.voice.wake import after_wake


class Attention:
    """What of the heard is meant for the companion."""

    def __init__(self, section: VoiceSection, name: str, now: Callable[[], float]) -> None:
        """name: the companion's, for the default wake phrase. now: seconds."""
        self._start = section.start
        self._phrases = section.wake_phrases or (f"hey {name}",)
        self._awake_s = section.awake_s
        self._now = now
        self._until = float("-inf")
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

    def stay(self) -> None:
        """Something was said by either side: go on listening for a while."""
        self._until = self._now() + self._awake_s

    def accept(self, words: str) -> str | None:
        """The words that are meant for the companion, "" for the wake phrase alone; None when
        they are not meant for it."""
        if self.awake:
            return words
        return after_wake(words, self._phrases)
