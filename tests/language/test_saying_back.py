"""What a child tells, said back: a whole sentence of its own in the second person, or nothing."""

from __future__ import annotations

import pytest

from companion.language.en import hinges, saying_back, variants


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("my brother put a pea up his nose", "your brother put a pea up his nose"),
        ("our cat had a fight with the hoover", "your cat had a fight with the hoover"),
        ("mum washed my football card it was in my pocket", "your mum washed your football card"),
        ("me and jun made up a handshake", "you and jun made up a handshake"),
        ("um so i losted my glove at the farm", "you lost your glove at the farm"),
        ("i'm five now im in the big class", "you're five now"),
        ("theres a monkey on our roof", "there's a monkey on your roof"),
        ("It wasn't meant to be funny.", "it wasn't meant to be funny"),
        ("Mum shouted at me today.", "your mum shouted at you today"),
        ("Otto ran away from home.", "Otto ran away from home"),
        ("and then he went in the bath with his socks on", "he went in the bath with his socks on"),
    ],
)
def test_a_telling_is_said_back(words: str, told: str) -> None:
    assert saying_back.telling(words) == told


@pytest.mark.parametrize(
    "words",
    [
        "you have a funny hat",
        "our hamster died and we made a grave",
        "pip you know what",
        "bobba dobba wibble",
        "the the the dog no wait",
        "potato",
        "it is",
        "",
    ],
)
def test_what_is_no_clear_telling_of_its_own_is_not(words: str) -> None:
    assert saying_back.telling(words) is None


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


def test_a_telling_turns_on_the_first_of_the_asked_that_fits() -> None:
    assert hinges.of("you lost your shiny", ("missing", "happened")) == "missing"
    assert hinges.of("you lost your shiny", ("happened",)) == "happened"
    assert hinges.of("you are cold", ("missing",)) == ""


def test_a_role_that_words_give_is_named() -> None:
    assert variants.role("you be the mummy cat and i be the baby cat") == "the mummy cat"
    assert variants.role("are you the cat") is None


def test_an_act_without_variants_has_none() -> None:
    assert variants.of("ask_story", "tell me a story") == ""
