"""Which part of a long message a note shows."""

from __future__ import annotations

from companion.recall.passages import passage

LONG = (
    "Hello toy. We had pancakes for breakfast. Then we went to the museum with Grandma. "
    "There were two dinosaurs and a very old boat. It rained all afternoon."
)


def test_a_short_message_is_shown_whole() -> None:
    assert passage(LONG, {"museum"}, "", most=60) == LONG


def test_the_sentence_that_is_asked_about_is_shown_with_what_follows() -> None:
    shown = passage(LONG, {"museum", "see"}, "", most=18)
    assert shown == (
        "... Then we went to the museum with Grandma. There were two dinosaurs and a very old boat."
        " ..."
    )


def test_what_a_memory_quotes_decides_where_no_word_does() -> None:
    shown = passage(LONG, {"weather"}, "It rained all afternoon.", most=8)
    assert shown == "... It rained all afternoon."


def test_what_comes_before_is_shown_where_nothing_follows() -> None:
    shown = passage(LONG, {"rained"}, "", most=14)
    assert shown == "... There were two dinosaurs and a very old boat. It rained all afternoon."


def test_one_long_sentence_is_not_cut_here() -> None:
    sentence = "and then " * 60
    assert passage(sentence, {"then"}, "") == sentence
