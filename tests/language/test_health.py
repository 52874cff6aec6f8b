"""Allergies and health in the words of messages: names, what things are in, what is misheard."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.language.en import health


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("I'm a lergic to be stings", "im allergic to bee stings"),
        ("lack toast in tolerant", "lactose intolerant"),
        ("alergic to penicilin", "allergic to penicillin"),
        ("my father works in a bakery", "my father works in a bakery"),
        ("my back on the chair, under water", "my back on the chair under water"),
    ],
)
def test_what_is_misheard_or_misspelt_is_mended_and_other_words_are_left(
    said: str, read: str
) -> None:
    assert health.plain(said) == read


@pytest.mark.parametrize(
    ("remark", "told", "holds"),
    [
        ("peanut butter on toast", "nuts", True),
        ("a slice of marzipan", "nuts", True),
        ("satay tonight", "peanuts", True),
        ("a bread roll", "gluten", True),
        ("a cheese toastie", "milk", True),
        ("oat milk", "milk", False),
        ("my milk tooth", "milk", False),
        ("plain rice", "eggs", False),
        ("the sesame street song", "sesame", False),
        ("a pony ride", "horses", True),
        ("a sausage roll", "halal", True),
        ("a weetabix", "coeliac", True),
    ],
)
def test_what_a_thing_is_in_is_known(remark: str, told: str, holds: bool) -> None:
    held = health.find(health.plain(remark)).held
    assert bool(health.covered([told]) & held) is holds


@pytest.mark.parametrize(
    ("said", "takes_back"),
    [
        ("No!", True),
        ("nope, that's wrong", True),
        ("I was only joking", True),
        ("not me, my brother", True),
        ("No, I'm allergic to eggs", False),
        ("no I still can't", False),
        ("no it makes my tongue swell", False),
        ("yes", False),
        ("I know", False),
    ],
)
def test_only_a_plain_no_takes_back(said: str, takes_back: bool) -> None:
    assert health.takes_back(said) is takes_back


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("I let Biscuit have a Snickers", "I let have a Snickers"),
        ("Biscuit is here. Cake too", "Biscuit is here. Cake too"),
    ],
)
def test_a_pet_with_the_name_of_food_is_no_food(said: str, left: str) -> None:
    assert health.without_names(said) == left


def test_whatever_is_forbidden_is_also_known_where_it_is() -> None:
    """A thing without a way to meet it would never be caught."""
    for thing in health.covered(["halal", "coeliac", "diabetes", "asthma", "pku", "nuts"]):
        assert health.way(thing) in ("have", "touch", "near", "do", "is")


@pytest.mark.parametrize(
    ("told", "named"),
    [
        ("I had kiwi at snack and I'm not allowed", ("kiwi",)),
        ("no breakfast, I can't have milk", ("milk",)),
        ("I'm not allowed any food before the hospital", ("food and drink",)),
        ("no dogs and no food", ("dogs", "food and drink")),
    ],
)
def test_food_as_such_is_meant_only_where_no_food_is_named(
    told: str, named: tuple[str, ...]
) -> None:
    assert health.find(health.plain(told)).named == named


def test_the_contents_are_well_formed() -> None:
    """Each thing once, in plain words; a thing of its own has names and a way."""
    file = Path(health.__file__).with_name("contents.jsonl")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    things = [row["thing"] for row in rows]
    assert len(things) == len(set(things)) > 200
    for row in rows:
        assert set(row) <= {"thing", "way", "called", "days", "in"}
        assert ("way" in row) == ("called" in row)
        assert row.get("way", "have") in {"have", "touch", "near", "do", "is"}
        words = [*row.get("called", ()), *row["in"]]
        assert len(row["in"]) == len(set(row["in"])) > 0
        assert all(each == each.lower() and each.isascii() for each in words)
        assert all(len(each.split()) <= 5 for each in words)


@pytest.mark.parametrize(
    ("remark", "told"),
    [
        ("goldfish crackers", "wheat"),
        ("an oreo mcflurry", "milk"),
        ("some nurofen", "ibuprofen"),
        ("makowiec", "poppy seeds"),
        ("flamin hot cheetos", "food colouring"),
        ("the bonfire", "smoke"),
        ("pakora", "chickpeas"),
        ("a sack race", "running"),
    ],
)
def test_of_kitchens_and_places_of_many_countries(remark: str, told: str) -> None:
    assert health.covered([told]) & health.find(health.plain(remark)).held


@pytest.mark.parametrize(
    ("things", "days"),
    [
        (["broken bone"], 90),
        (["broken bone", "lifting"], 120),
        (["broken bone", "climbing"], 90),
        (["broken bone", "peanuts"], None),
        (["peanuts"], None),
        ([], None),
    ],
)
def test_how_long_it_holds(things: list[str], days: int | None) -> None:
    assert health.days(things) == days
