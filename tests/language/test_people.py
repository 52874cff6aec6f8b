"""Who is whose what, and whom "he" goes on about."""

from __future__ import annotations

import pytest

from companion.language.en.people import addressed, owned, relations, with_name
from companion.language.types import Relation


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        ("my cousin Bea has a kite", "", {(True, "cousin", "bea")}),
        ("Lita's my grandma, she lives with us", "", {(True, "grandma", "lita")}),
        ("Gabi's party. my sister. She's tall", "", {(True, "sister", "gabi")}),
        ("My little brother. He's five.", "Oh no! Who's Yusuf?", {(True, "brother", "yusuf")}),
        ("Ola's reindeer is called Blix", "", {(False, "reindeer", "blix")}),
        ("Sana. Her sister.", "Who marries?", {(False, "sister", "sana")}),
        ("Then my brother came home", "", set()),
        ("On Friday my aunt sings", "", set()),
    ],
)
def test_relations_are_read_as_they_are_introduced(
    text: str, question: str, expected: set[tuple[bool, str, str]]
) -> None:
    assert relations(text, question) == {Relation(*each) for each in expected}


def test_a_friends_brother_is_not_ones_own() -> None:
    assert owned("Theo's brother and my aunt") == {(False, "brother"), (True, "aunt")}


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("How was school, Marco?", {"Marco"}),
        ("Hello Zara! How was your Monday?", {"Zara"}),
        ("Marco, that's huge!", {"Marco"}),
        ("I hope Denise did a good job.", set()),
        ("Good night, friend!", set()),
    ],
)
def test_who_is_addressed_is_told_from_who_is_spoken_of(line: str, names: set[str]) -> None:
    assert addressed(line) == names


KNOWN = relations("Gabi's party. my sister.")


def test_the_word_gives_way_to_whom_it_means() -> None:
    assert with_name("no, she's cold", "my aunt") == "no, my aunt's cold"
    assert with_name("I'm cold", "my aunt") == "I'm cold"
