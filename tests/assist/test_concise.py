"""An answer cut to what is missing, and held to what was shown."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.assist.concise import concise, cut, grounded
from companion.assist.finding import Found

FRIDAY = datetime(2026, 10, 9, 16, 0, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("answer", "context", "question", "short"),
    [
        (
            "Her name is Emily and she works as a software engineer",
            "She is an engineer",
            "her name and what kind?",
            "Emily, software",
        ),
        ("Ticket to Ride", "He likes Catan, Pandemic and", "What else?", "Ticket to Ride"),
        ("The cat is called Mr. Plum.", "her cat is called", "What is it called?", "Mr. Plum"),
        ("two potatoes, a bay leaf", "", "what else?", "two potatoes, bay leaf"),
        ("dungeons and dragons", "", "what do I play?", "dungeons and dragons"),
        ("the blue flowerpot", "the key is under the", "where?", "blue flowerpot"),
        ("under the blue flowerpot", "", "Where is the key?", "under the blue flowerpot"),
        ("Wanda, who lives in Hull", "", "who is it?", "Wanda"),
        ("48,000 yen", "", "how much?", "48,000 yen"),
        ("half past nine on Friday", "", "when?", "half past nine on Friday"),
        ("Tuesday the 12th at 13:40", "", "When is that?", "Tuesday the 12th at 13:40"),
        ("her cat", "her cat is called", "What is her cat called?", ""),
        ("", "", "", ""),
    ],
)
def test_only_what_is_missing_is_said(answer: str, context: str, question: str, short: str) -> None:
    assert concise(answer, context, question, 40) == short


@given(st.text(), st.text(), st.text(), st.integers(8, 60))
def test_it_is_never_too_long_and_adds_no_word(
    answer: str, context: str, question: str, most: int
) -> None:
    said = concise(answer, context, question, most)
    assert len(said) <= most
    assert all(word.strip(" ,;:.-") in " ".join(answer.split()) for word in said.split(", "))


def test_it_is_cut_at_a_word() -> None:
    assert cut("one two three", 9) == "one two"
    assert cut("x" * 50, 8) == "x" * 8


def test_what_is_too_long_ends_with_a_part_of_it_and_with_no_word_that_ends_none() -> None:
    assert cut("a slice of farinata, black at the edge", 36) == "a slice of farinata"
    assert cut("the tin behind the flour on the shelf", 33) == "the tin behind the flour"


def found(text: str, id: int = 1) -> Found:
    return Found(("", id), text, FRIDAY)


@pytest.mark.parametrize(
    ("answer", "texts", "sources"),
    [
        ("Mr. Plum", ["Her cat is Mr. Plum.", "It rained."], [1]),
        ("milk, eggs", ["Buy milk.", "Eggs too!"], [1, 2]),
        ("Mr. Pear", ["Her cat is Mr. Plum."], []),
        ("7", ["He is 6."], []),
        ("Friday", ["The choir met."], []),  # on which it was told, and no more
        ("Saturday", ["He lands tomorrow."], [1]),  # and the day it means
        ("Sunday", ["He lands tomorrow."], []),
        ("2026", ["He lands tomorrow."], []),  # each day means a year, and nobody said it
        ("2026", ["He lands in May 2026."], [1]),
        ("drum", ["Our drummer is ill."], []),
    ],
)
def test_each_word_stands_in_what_was_shown(
    answer: str, texts: list[str], sources: list[int]
) -> None:
    shown = [found(text, id) for id, text in enumerate(texts, start=1)]
    assert [each.key[1] for each in grounded(answer, shown)] == sources


@pytest.mark.parametrize(
    ("answer", "question", "context", "borne_out"),
    [
        ("Friday", "When did the choir meet?", "", True),
        ("Friday", "When does the choir meet?", "", False),
        ("Plum", "What is Wanda's cat called?", "", True),
        ("Plum", "What is her cat called?", "I met Wanda.", True),
        ("Plum", "What is her cat called?", "I met Bisi.", False),
        ("Plum", "What is Bisi's cat called?", "", False),
        ("Plum", "Where does the boat lie?", "", False),
    ],
)
def test_it_speaks_of_what_was_asked(
    answer: str, question: str, context: str, borne_out: bool
) -> None:
    shown = [found("Wanda's cat is called Plum."), found("The choir met again.", 2)]
    assert bool(grounded(answer, shown, question, context)) is borne_out
