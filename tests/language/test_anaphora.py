"""Whom "she" stands for, and the earlier sentence that names them."""

from __future__ import annotations

import pytest

from companion.language.en.anaphora import naming, open_pronoun
from companion.language.types import Relation


@pytest.mark.parametrize(
    ("text", "pronoun"),
    [
        ("it's her birthday two weeks today", "she"),
        ("he fell off. Ola laughed", "he"),
        ("Ola fell off, so I carried her", ""),
        ("my brother says he can whistle", ""),
        ("the lady shouted and then she left", ""),
        ("we had soup", ""),
    ],
)
def test_a_pronoun_is_open_where_nobody_is_named_before_it(text: str, pronoun: str) -> None:
    assert open_pronoun(text) == pronoun


@pytest.mark.parametrize(
    ("pronoun", "before", "named"),
    [
        ("she", ["I can't touch it", "Ola's got a boat. it's blue"], "Ola's got a boat."),
        ("she", ["my dad drives a van", "my aunt lives in Leeds"], "my aunt lives in Leeds"),
        ("he", ["he whistles all day"], ""),
        ("he", ["we live in Leeds"], ""),
        ("she", ["I saw Tom, he's cold", "and Bea waved to Tom"], "and Bea waved to Tom"),
    ],
)
def test_the_latest_sentence_that_names_somebody_is_found(
    pronoun: str, before: list[str], named: str
) -> None:
    assert naming(pronoun, before, ()) == named


def test_who_is_only_addressed_is_not_meant() -> None:
    assert naming("he", ["look, Pip! wait"], (), but=("Pip",)) == ""


def test_a_known_relation_tells_whom_a_pronoun_cannot_mean() -> None:
    brother = Relation(True, "brother", "bo")
    assert naming("she", ["then Bo sang", "Ida's got a harp"], {brother}) == "Ida's got a harp"
