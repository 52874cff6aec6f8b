"""What shows people whether it listens: the lamp, and the tone that says it has to be called."""

from __future__ import annotations

from collections.abc import Callable

from companion.voice.speech.earcons import done
from companion.voice.speech.speech_output import SpeechOutput
from companion.voice.turns.attention import Attention


class Signs:
    """Looks at attention once a frame, and shows its changes."""

    def __init__(
        self,
        attention: Attention,
        speech_output: SpeechOutput,
        on_live: Callable[[bool], None] | None,
    ) -> None:
        """on_live: told when the microphone goes live, and when it is off again."""
        self._attention = attention
        self._speech_output = speech_output
        self._on_live = on_live
        self._live = False
        self._awake = False

    def show(self, idle: Callable[[], bool]) -> None:
        """idle: whether nobody speaks."""
        if self._attention.live != self._live:
            self._live = self._attention.live
            if self._on_live is not None:
                self._on_live(self._live)
        awake = self._attention.awake
        if self._awake and not awake and self._live and idle():
            self._speech_output.chime(done())
        self._awake = awake
