"""When somebody may be asked for something. Written by the author of the rules."""

from __future__ import annotations

import pytest

from companion.language.en.lull import greets, leaves_room


@pytest.mark.parametrize(
    "words",
    ["I like dogs", "my hat is red", "we had pizza.", "hi Pip!", "It's raining"],
)
def test_a_short_remark_leaves_room(words: str) -> None:
    assert leaves_room(words, "Pip", asked=False)


@pytest.mark.parametrize(
    "words",
    [
        "I won!",
        "got him. wunned him over. squash",
        "it's CANCELED",
        "I can't go wee",
        "I got a secret",
        "hold up, my arm thing is beeping",
        "say something else",
        "tell me more",
        "my goldfish died",
        "nobody picked me",
        "dinosaurs",
        "my friend is not coming",
        "we went up the hill and down again and then we ate",
    ],
)
def test_what_is_lively_grave_or_long_does_not(words: str) -> None:
    assert not leaves_room(words, "Pip", asked=False)


def test_after_a_question_an_answer_leaves_room_and_a_bare_yes_does_not() -> None:
    assert leaves_room("pink", "", asked=True)
    assert not leaves_room("pink", "", asked=False)
    assert not leaves_room("yes", "", asked=True)


@pytest.mark.parametrize(
    ("words", "expected"),
    [("Hi Pip!", True), ("hello again", True), ("hi I am sad", False), ("Pip", False), ("", False)],
)
def test_a_greeting_is_nothing_else(words: str, expected: bool) -> None:
    assert greets(words, "Pip") is expected
