"""Where sentences end: the one place that knows abbreviations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.language.en.sentences import clauses, spans, split


@pytest.mark.parametrize(
    "text",
    [
        "My teacher is Dr. Brown.",
        "We live near St. Mary's Street.",
        "We met at 7 a.m. on Monday.",
        "J. K. Rowling wrote it.",
        "I like fruit, e.g. Pears and figs.",
        "It is in no. 5 on our street",
    ],
)
def test_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("I got an A. My mum was proud.", ["I got an A.", "My mum was proud."]),
        ("no. i like red", ["no.", "i like red"]),
        ("We slept till 10 a.m. Then we ate.", ["We slept till 10 a.m.", "Then we ate."]),
        ("It was I. She saw me.", ["It was I.", "She saw me."]),
        ("One!  Two?\nThree", ["One!", "Two?", "Three"]),
        ("Hm… Yes", ["Hm…", "Yes"]),
        ('He said "hi." Then he left.', ['He said "hi."', "Then he left."]),
        ("", []),
    ],
)
def test_the_others_do(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


@given(st.text(alphabet='aDr.!? \n"I,', max_size=60))
def test_spans_are_stripped_and_in_order(text: str) -> None:
    found = spans(text)
    assert "".join(text.split()) == "".join("".join(text[a:b].split()) for a, b in found)
    assert all(text[a:b] == text[a:b].strip() != "" for a, b in found)
    for start, end in found:
        assert all(start <= a < b <= end for a, b in clauses(text, start, end))
