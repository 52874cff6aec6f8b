"""A button that is held down for long: what it asks for, and what it leaves of push-to-talk."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engines.sound.protocols import FRAME_S
from companion.voice.turns.long_press import LONG_S, HeldButton
from tests.voice.a_voice import Room, a_voice


class SimpleButton:
    pressed = False

    def close(self) -> None:
        pass


def frames(button: HeldButton, seconds: float, *, speaking: bool = False) -> set[bool]:
    """What it says meanwhile."""
    return {button.held(speaking) for _ in range(round(seconds / FRAME_S))}


def test_five_seconds_are_told_once_and_the_rest_is_no_talk() -> None:
    raw, told = SimpleButton(), []
    button = HeldButton(raw)
    button.on_long = lambda: told.append(1)
    assert frames(button, 9) == {False}
    raw.pressed = True
    assert frames(button, LONG_S - 0.1) == {True}
    assert not told
    frames(button, 0.2)
    assert frames(button, 20) == {False}
    assert told == [1]
    raw.pressed = False
    frames(button, 0.1)
    raw.pressed = True
    assert frames(button, 1) == {True}
    frames(button, LONG_S)
    assert told == [1, 1]


@pytest.mark.parametrize("wanted", [True, False])
def test_who_speaks_holds_it_as_long_as_they_like(wanted: bool) -> None:
    raw, told = SimpleButton(), []
    button = HeldButton(raw)
    if wanted:
        button.on_long = lambda: told.append(1)
    raw.pressed = True
    assert frames(button, 20, speaking=wanted) == {True}
    assert not told


async def test_in_push_to_talk_a_long_silent_press_is_no_turn(tmp_path: Path) -> None:
    raw, told = SimpleButton(), []
    spans = ((2.0, 2.9), (12.0, 13.0), (18.0, 19.0))
    async with a_voice(tmp_path, spans=spans, start="push-to-talk", button=raw) as voice:
        assert voice.loop.button is not None
        voice.loop.button.on_long = lambda: told.append(1)

        def press(room: Room) -> None:
            raw.pressed = 1.5 < room.now < 3.5 or 5.0 < room.now < 14.0 or 17.5 < room.now < 19.5

        voice.room.on_frame = press
        await voice.loop.run()
        assert told == [1]
        assert len(voice.turns) == 2, "what is said in the rest of a long press is not heard"
        assert voice.loop.state()["button"] is True
