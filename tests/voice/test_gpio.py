"""Button and lamp: on lines, on a terminal, in the log."""

from __future__ import annotations

import enum
import logging
import os
import pty
import termios
from types import SimpleNamespace
from typing import Any

import pytest

from companion.config import VoiceSection
from companion.errors import SoundError
from companion.voice.devices.gpio import (
    LogIndicator,
    open_assist_button,
    open_button,
    open_indicator,
)
from companion.voice.devices.keyboard import Keyboard, KeyButton


class Value(enum.Enum):
    INACTIVE = 0
    ACTIVE = 1


class Board:
    """What gpiod 2.x is asked for, with lines in memory: electrical levels by number."""

    line = SimpleNamespace(
        Value=Value,
        Direction=SimpleNamespace(INPUT="in", OUTPUT="out"),
        Bias=SimpleNamespace(PULL_UP="up"),
    )
    LineSettings = SimpleNamespace

    def __init__(self) -> None:
        self.high: dict[int, bool] = {}
        self.held: dict[int, Any] = {}
        self.broken = False

    def request_lines(self, path: str, *, consumer: str, config: dict[int, Any]) -> Board:
        if path != "/dev/gpiochip0":
            raise FileNotFoundError(2, "No such file or directory")
        for number, settings in config.items():
            if number in self.held:
                raise OSError(16, "Device or resource busy")
            self.held[number] = settings
            self.high[number] = settings.direction == "in" and settings.bias == "up"
        return self

    def get_value(self, number: int) -> Value:
        if self.broken:
            raise OSError(19, "No such device")
        return Value(int(self.high[number] != self.held[number].active_low))

    def set_value(self, number: int, value: Value) -> None:
        self.high[number] = value is Value.ACTIVE

    def release(self) -> None:
        self.held.clear()


def test_a_button_pulls_its_line_down() -> None:
    board = Board()
    button = open_button(VoiceSection(button="gpiochip0:105"), board)
    assert not button.pressed
    board.high[105] = False
    assert button.pressed
    button.close()
    button.close()
    assert not board.held


def test_a_lamp_shines_while_the_microphone_is_live_and_is_dark_at_the_end() -> None:
    board = Board()
    lamp = open_indicator(VoiceSection(indicator="/dev/gpiochip0:7"), board)
    assert not board.high[7]
    lamp.show(True)
    assert board.high[7]
    lamp.close()
    lamp.close()
    assert not board.high[7]
    assert not board.held


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("105", "write it as gpiochip0:105"),
        ("gpiochip9:1", "No such file"),
        ("gpiochip0:1", "busy"),
    ],
)
def test_a_line_that_cannot_be_had_is_named(place: str, words: str) -> None:
    board = Board()
    board.held[1] = SimpleNamespace()
    with pytest.raises(SoundError, match=words) as told:
        open_button(VoiceSection(button=place), board)
    assert str(told.value).startswith(f"voice.button: {place}") or repr(place) in str(told.value)


def test_a_line_that_vanishes_is_named() -> None:
    board = Board()
    button = open_button(VoiceSection(button="gpiochip0:105"), board)
    board.broken = True
    with pytest.raises(SoundError, match=r"voice\.button: gpiochip0:105: No such device"):
        _ = button.pressed


def test_without_a_lamp_each_change_is_one_line_of_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    indicator = open_indicator(VoiceSection())
    assert isinstance(indicator, LogIndicator)
    for live in (True, True, False, True):
        indicator.show(live)
    indicator.close()
    told = [record.getMessage() for record in caplog.records]
    assert told == ["microphone live", "microphone off", "microphone live", "microphone off"]


def test_push_to_talk_without_a_button_says_what_to_set() -> None:
    with pytest.raises(SoundError, match=r"voice\.button: a GPIO line .*, or key"):
        open_button(VoiceSection())


def test_each_stroke_of_the_space_bar_turns_it_over() -> None:
    keyboard, terminal = pty.openpty()
    try:
        before = termios.tcgetattr(terminal)
        button = open_button(VoiceSection(button="key"), keyboard=Keyboard(terminal))
        assert isinstance(button, KeyButton)
        assert not button.pressed
        os.write(keyboard, b"x ")
        assert button.pressed
        assert button.pressed
        os.write(keyboard, b" ")
        assert not button.pressed
        button.close()
        button.close()
        assert termios.tcgetattr(terminal) == before, "strokes are shown again"
    finally:
        os.close(keyboard)
        os.close(terminal)


def test_a_terminal_that_is_gone_is_named_and_closing_is_harmless() -> None:
    keyboard, terminal = pty.openpty()
    try:
        button = open_button(VoiceSection(button="key"), keyboard=Keyboard(terminal))
        os.close(keyboard)
        with pytest.raises(SoundError, match="its terminal is gone"):
            _ = button.pressed
        button.close()
    finally:
        os.close(terminal)


def test_a_key_needs_a_terminal() -> None:
    reader, writer = os.pipe()
    try:
        with pytest.raises(SoundError, match=r"started without one; name a GPIO line"):
            open_button(VoiceSection(button="key"), keyboard=Keyboard(reader))
    finally:
        os.close(reader)
        os.close(writer)


def test_without_a_setting_there_is_no_paw_and_with_one_it_is_a_line_of_its_own() -> None:
    board = Board()
    assert open_assist_button(VoiceSection(), board) is None
    paw = open_assist_button(VoiceSection(assist_button="gpiochip0:106"), board)
    assert paw is not None
    assert not paw.pressed
    board.high[106] = False
    assert paw.pressed
    with pytest.raises(SoundError, match=r"voice\.assist_button: gpiochip0:106: .*busy"):
        open_assist_button(VoiceSection(assist_button="gpiochip0:106"), board)


def test_two_keys_of_one_terminal_are_two_buttons() -> None:
    keyboard, terminal = pty.openpty()
    try:
        before = termios.tcgetattr(terminal)
        section, keys = VoiceSection(button="key", assist_button="key"), Keyboard(terminal)
        button = open_button(section, keyboard=keys)
        paw = open_assist_button(section, keyboard=keys)
        assert paw is not None
        os.write(keyboard, b"\r")
        assert paw.pressed
        assert not button.pressed
        os.write(keyboard, b" \r")
        assert button.pressed
        assert not paw.pressed
        button.close()
        os.write(keyboard, b"\r")
        assert paw.pressed, "the other one goes on"
        paw.close()
        assert termios.tcgetattr(terminal) == before
    finally:
        os.close(keyboard)
        os.close(terminal)
