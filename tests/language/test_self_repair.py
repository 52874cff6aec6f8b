"""Slips of the tongue: what was put right at once counts, and nothing else is touched."""

from __future__ import annotations

import pytest

from companion.language.en.self_repair import repaired


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (
            "I have a match on Saturday. No wait, on Sunday.",
            "I have a match on Sunday.",
        ),
        ("It is on Monday, I mean Tuesday!", "It is on Tuesday!"),
        ("On Friday, oops, next Saturday", "On next Saturday"),
        ("We go tomorrow - sorry, today and it's fun", "We go today and it's fun"),
        ("He is 7. No wait he's 8 years old.", "He is 8 years old."),
        ("I have two cats and one, no, two dogs. I'm seven, no, eight.",
         "I have two cats and one, no, two dogs. I'm eight."),
        ("My birthday is in May, no sorry, June.", "My birthday is in June."),
    ],
)  # fmt: skip
def test_what_was_meant_counts(said: str, meant: str) -> None:
    assert repaired(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        "We play on Saturday. No, Sunday is free.",
        "Not on Saturday, no, on Sunday.",
        "No, Sunday.",
        "On Monday no one came.",
        "Is it Monday? No, Tuesday.",
        "I like one. No one likes two.",
        "Sunday or Monday, I mean which day?",
        "I have no two things.",
    ],
)
def test_what_is_no_slip_stays(said: str) -> None:
    assert repaired(said) == said
