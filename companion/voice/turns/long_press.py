"""A button that is held down for long, with nobody speaking, asks for something else than talk."""

from __future__ import annotations

from collections.abc import Callable

from companion.engines.sound.protocols import FRAME_S
from companion.voice.devices.gpio import Button

LONG_S = 5.0
"""So long it is held."""

_FRAMES = round(LONG_S / FRAME_S)


class HeldButton:
    """A button, asked once a frame. Whoever speaks while holding it means to talk: the time begins
    anew."""

    def __init__(self, button: Button) -> None:
        self.on_long: Callable[[], None] | None = None
        """Called once for each long press; None: none is noticed."""

        self._button = button
        self._frames = 0

    def held(self, speaking: bool) -> bool:
        """Whether it is held to talk; what is left of a long press is not. Raises SoundError when
        the button is gone."""
        if not self._button.pressed:
            self._frames = 0
            return False
        if self._frames < _FRAMES and self.on_long is not None:
            self._frames = 0 if speaking else self._frames + 1
            if self._frames == _FRAMES:
                self.on_long()
        return self._frames < _FRAMES
