"""What a child tells, turned to the second person."""

from __future__ import annotations

import pytest

from companion.language.en import saying_back, variants


@pytest.mark.parametrize(
    ("words", "turned"),
    [
        ("my brother's pea", "your brother's pea"),
        ("our cat", "your cat"),
        ("me and jun", "you and jun"),
        ("The big boat", "the big boat"),
        ("Otto", "Otto"),
        ("im five", "you're five"),
        ("five eggs", "five eggs"),
    ],
)
def test_a_phrase_is_turned_to_the_second_person(words: str, turned: str) -> None:
    assert saying_back.phrase(words) == turned


@pytest.mark.parametrize(
    ("words", "thing"),
    [("on my foot", "on your foot"), ("um the stripy one", "the stripy one"), ("sticks", "sticks")],
)
def test_an_answer_that_names_something_is_a_thing(words: str, thing: str) -> None:
    assert saying_back.thing(words) == thing


@pytest.mark.parametrize("words", ["yeah", "dunno", "he ran away", "no thank you", "you are silly"])
def test_an_answer_that_names_nothing_is_none(words: str) -> None:
    assert saying_back.thing(words) is None


def test_it_is_grave_where_somebody_died() -> None:
    assert saying_back.is_grave("my rabbit died last night")
    assert not saying_back.is_grave("my rabbit ran away")


def test_a_role_that_words_give_is_named() -> None:
    assert variants.role("you be the mummy cat and i be the baby cat") == "the mummy cat"
    assert variants.role("are you the cat") is None


def test_an_act_without_variants_has_none() -> None:
    assert variants.of("ask_story", "tell me a story") == ""
