"""A terminal whose keys are buttons. It tells no release: each stroke turns a button over."""

from __future__ import annotations

import logging
import os
import select
import termios
import tty
from contextlib import suppress
from typing import Any

from companion.errors import SoundError

logger = logging.getLogger(__name__)


class Keyboard:
    """The keys of one terminal, for as many buttons as there are."""

    def __init__(self, terminal: int = 0) -> None:
        """`terminal`: a file descriptor. It is not touched before the first button."""
        self._terminal = terminal
        self._before: list[Any] | None = None
        self._buttons: list[KeyButton] = []

    def button(self, key: str, setting: str, hint: str) -> KeyButton:
        """A button that is one key. setting: what asks for it in the configuration. hint: for the
        log, how it is pressed. Raises SoundError where there is no terminal."""
        if self._before is None:
            try:
                self._before = termios.tcgetattr(self._terminal)
                tty.setcbreak(self._terminal, termios.TCSANOW)
            except termios.error:
                raise SoundError(
                    f"{setting}: key is pressed in a terminal, and this program was started "
                    "without one; name a GPIO line (gpiochip0:105)"
                ) from None
        made = KeyButton(self, key, setting)
        self._buttons.append(made)
        logger.info("%s", hint)
        return made

    def read(self, setting: str) -> None:
        """Turn over what was struck. Raises SoundError when the terminal is gone."""
        while self._buttons and select.select([self._terminal], [], [], 0)[0]:
            try:
                strokes = os.read(self._terminal, 64)
            except OSError:
                strokes = b""
            if not strokes:
                raise SoundError(f"{setting}: key: its terminal is gone")
            for button in self._buttons:
                button.struck(strokes.count(button.key.encode()))

    def let_go(self, button: KeyButton) -> None:
        """One button less; without the last one the terminal is as it was."""
        if button in self._buttons:
            self._buttons.remove(button)
        if not self._buttons and self._before is not None:
            with suppress(termios.error):  # A terminal that is gone needs no restoring.
                termios.tcsetattr(self._terminal, termios.TCSANOW, self._before)
            self._before = None


class KeyButton:
    """One key of a keyboard; see `gpio.Button`."""

    def __init__(self, keyboard: Keyboard, key: str, setting: str) -> None:
        self.key = key
        self._keyboard = keyboard
        self._setting = setting
        self._pressed = False

    @property
    def pressed(self) -> bool:
        """Raises SoundError when the terminal is gone."""
        self._keyboard.read(self._setting)
        return self._pressed

    def struck(self, times: int) -> None:
        """So many strokes of its key."""
        self._pressed ^= times % 2 == 1

    def close(self) -> None:
        self._keyboard.let_go(self)
        self._pressed = False
