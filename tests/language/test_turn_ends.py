from __future__ import annotations

import pytest

from companion.language.en.turn_ends import asks, unfinished


@pytest.mark.parametrize(
    "text",
    [
        "I went to the.",
        "My dog is called.",
        "I like dogs and",
        "Because, um.",
        "We went to",
        "My name is.",
        "I want...",
        "And then I —",
    ],
)
def test_half_a_sentence_is_unfinished(text: str) -> None:
    assert unfinished(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "...",
        "I like dogs.",
        "Yes.",
        "Tell me a story",
        "What is that?",
        "Where are you going?",
        "No, it is not.",
        "Stop it!",
        "I think so.",
        "Who is he?",
    ],
)
def test_a_whole_one_is_not(text: str) -> None:
    assert not unfinished(text)


def test_a_question_asks() -> None:
    assert asks("What is that?")
    assert asks("Do you think that fish can hear us? ")


@pytest.mark.parametrize("text", ["", "?", "What?", "I like dogs.", "Is it? I think so."])
def test_other_words_ask_nothing_yet(text: str) -> None:
    assert not asks(text)
