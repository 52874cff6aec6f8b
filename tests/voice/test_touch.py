"""A touch of the paw, frame by frame: short, held, bouncing, hanging."""

from __future__ import annotations

import random

import pytest

from companion.voice.turns.touch import LONGEST_S, Touch


def events(frames: str) -> list[str]:
    """`#` is a frame in which it is pressed."""
    touch = Touch()
    return [event for each in frames if (event := touch.feed(each == "#"))]


@pytest.mark.parametrize(
    ("frames", "meant"),
    [
        ("...", []),
        (".#..", ["pressed", "touched"]),
        ("." + "#" * 12 + "..", ["pressed", "touched"]),  # 384 ms
        ("." + "#" * 13 + "..", ["pressed", "held", "asked"]),  # 416 ms
        ("." + "#" * 12 + ".#..", ["pressed", "held", "asked"]),
        ("#" * 40, ["pressed", "held"]),
    ],
)
def test_how_long_it_is_held_says_what_is_meant(frames: str, meant: list[str]) -> None:
    assert events(frames) == meant


def test_a_contact_that_bounces_is_one_touch() -> None:
    assert events(".#.#.##.#..#....") == ["pressed", "touched"]
    assert events(".#." + "#.##" * 8 + ".." + "#.....") == ["pressed", "held", "asked"]


def test_two_touches_and_a_question_within_a_second_are_three() -> None:
    frames = "###......" + "###......" + "#" * 20 + ".."
    assert events(frames) == [
        "pressed",
        "touched",
        "pressed",
        "touched",
        "pressed",
        "held",
        "asked",
    ]


def test_a_button_that_hangs_means_nothing_and_works_again_when_it_comes_up() -> None:
    touch = Touch()
    hung = [touch.feed(True) for _ in range(int(LONGEST_S / 0.032) * 3)]
    assert [each for each in hung if each] == ["pressed", "held", "hangs"]
    assert not touch.down
    assert [touch.feed(False) for _ in range(9)] == [None] * 9
    assert [each for each in map(touch.feed, [True, False, False]) if each] == [
        "pressed",
        "touched",
    ]


def test_whatever_a_contact_does_each_press_ends_once() -> None:
    random.seed(1)
    for _ in range(300):
        touch, open_ = Touch(), False
        for _ in range(200):
            event = touch.feed(random.random() < 0.5)
            if event == "pressed":
                assert not open_
                open_ = True
            elif event in ("touched", "asked"):
                assert open_
                open_ = False
