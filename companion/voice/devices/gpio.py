"""A button to talk, the paw, and a lamp that shines while the microphone is live."""

from __future__ import annotations

import logging
import re
from typing import Any, Protocol

from companion.config import VoiceSection
from companion.errors import SoundError
from companion.voice.devices.keyboard import Keyboard

logger = logging.getLogger(__name__)

KEY = "key"
"""The button that is no line but a key: the space bar to talk, enter for the paw."""

_LINE = re.compile(r"(?:/dev/)?(gpiochip\d+):(\d+)")


class Button(Protocol):
    """Push to talk, or the paw. Asked once a frame."""

    @property
    def pressed(self) -> bool: ...

    def close(self) -> None:
        """Calling twice is harmless."""


class Indicator(Protocol):
    """Tells people whether the microphone is live."""

    def show(self, live: bool) -> None: ...

    def close(self) -> None:
        """Dark, then let go. Calling twice is harmless."""


def open_button(
    section: VoiceSection, gpiod: Any = None, keyboard: Keyboard | None = None
) -> Button:
    """The button of the configuration; `gpiod`: what stands in for the package of that name,
    `keyboard`: of the terminal with the key.
    Raises SoundError when there is none, or it cannot be had."""
    if section.button is None:
        raise SoundError("push-to-talk needs voice.button: a GPIO line (gpiochip0:105), or key")
    if section.button == KEY:
        hint = "push-to-talk: press the space bar to talk, and again when you are done"
        return (keyboard or Keyboard()).button(" ", "voice.button", hint)
    return GpioButton(section.button, gpiod)


def open_assist_button(
    section: VoiceSection, gpiod: Any = None, keyboard: Keyboard | None = None
) -> Button | None:
    """The paw of the configuration; None where it has none. Raises SoundError."""
    if section.assist_button is None:
        return None
    if section.assist_button == KEY:
        hint = "the paw: press enter to ask, and again when you are done; twice for what is open"
        return (keyboard or Keyboard()).button("\n", "voice.assist_button", hint)
    return GpioButton(section.assist_button, gpiod, "voice.assist_button")


def open_indicator(section: VoiceSection, gpiod: Any = None) -> Indicator:
    """The lamp of the configuration, or lines in the log. Raises SoundError."""
    return LogIndicator() if section.indicator is None else GpioLamp(section.indicator, gpiod)


class _Line:
    """One GPIO line, held for as long as this object."""

    def __init__(self, place: str, key: str, gpiod: Any, settings: Any) -> None:
        match = _LINE.fullmatch(place)
        if match is None:
            raise SoundError(f"{key}: {place!r} is no GPIO line; write it as gpiochip0:105")
        self._place, self._key, self._number = place, key, int(match[2])
        self._values = gpiod.line.Value
        try:
            self._request: Any = gpiod.request_lines(
                f"/dev/{match[1]}", consumer="companion", config={self._number: settings}
            )
        except (OSError, ValueError) as error:
            raise self._refused(error) from None

    def close(self) -> None:
        if self._request is not None:
            self._request.release()
            self._request = None

    def _refused(self, error: Exception) -> SoundError:
        why = getattr(error, "strerror", None) or str(error)
        return SoundError(f"{self._key}: {self._place}: {why}; `gpioinfo` lists the lines")


class GpioButton(_Line):
    """A button between a GPIO line and ground; `gpiochip0:105`."""

    def __init__(self, place: str, gpiod: Any = None, key: str = "voice.button") -> None:
        """key: what names it in the configuration. Raises SoundError."""
        gpiod = gpiod or _gpiod()
        pull_up, read = gpiod.line.Bias.PULL_UP, gpiod.line.Direction.INPUT
        settings = gpiod.LineSettings(direction=read, bias=pull_up, active_low=True)
        super().__init__(place, key, gpiod, settings)

    @property
    def pressed(self) -> bool:
        """Raises SoundError when the line is gone."""
        try:
            return bool(self._request.get_value(self._number) == self._values.ACTIVE)
        except OSError as error:
            raise self._refused(error) from None


class GpioLamp(_Line):
    """A lamp on a GPIO line that shines while the line is high."""

    def __init__(self, place: str, gpiod: Any = None) -> None:
        """Raises SoundError."""
        gpiod = gpiod or _gpiod()
        dark, write = gpiod.line.Value.INACTIVE, gpiod.line.Direction.OUTPUT
        settings = gpiod.LineSettings(direction=write, output_value=dark)
        super().__init__(place, "voice.indicator", gpiod, settings)

    def show(self, live: bool) -> None:
        """Raises SoundError when the line is gone."""
        if self._request is None:
            return
        try:
            value = self._values.ACTIVE if live else self._values.INACTIVE
            self._request.set_value(self._number, value)
        except OSError as error:
            raise self._refused(error) from None

    def close(self) -> None:
        self.show(False)
        super().close()


class LogIndicator:
    """For a device without a lamp: a line in the log at each change."""

    def __init__(self) -> None:
        self._live = False

    def show(self, live: bool) -> None:
        if live != self._live:
            logger.info("microphone %s", "live" if live else "off")
        self._live = live

    def close(self) -> None:
        self.show(False)


def _gpiod() -> Any:
    try:
        import gpiod
    except ModuleNotFoundError:
        raise SoundError("a button or lamp needs the package gpiod; pip install gpiod") from None
    if not hasattr(gpiod, "request_lines"):
        raise SoundError("the installed gpiod is older than 2.0; pip install 'gpiod>=2'")
    return gpiod
