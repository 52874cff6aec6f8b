"""Whom a message means by "he" or "she"."""

from __future__ import annotations

import numpy as np
import pytest

from companion import language
from companion.consolidation.whom import NAMED, SHOWN, meant, shipped, with_pairs
from companion.language.types import Line, Relation

GABI = Relation(own=True, relation="sister", name="gabi")


def talk(*said: str) -> list[Line]:
    """The person and the companion in turn, the person first."""
    return [Line(own=number % 2 == 0, text=text) for number, text in enumerate(said)]


@pytest.mark.parametrize(
    ("lines", "said", "called"),
    [
        (talk("my dad's in the shed", "What does your dad do?"), "he fixes clocks", "my dad"),
        (talk("It was Denise", "I hope Denise did well."), "She gave me a sticker", "Denise"),
        (talk("I went out with Gabi", "What did Gabi do?"), "She fell over", "Gabi"),
    ],
)
def test_somebody_is_named(lines: list[Line], said: str, called: str) -> None:
    found = meant(said, lines, {GABI}, {"Pip"})
    assert found is not None
    assert found.called == called
    assert found.probability >= NAMED


def test_who_is_not_sure_is_shown() -> None:
    found = meant("She cried", talk("Gabi fell off the wall!", "Oh no!"), {GABI}, {"Pip"})
    assert found is not None
    assert found.key == "gabi"
    assert SHOWN <= found.probability < NAMED


def test_a_name_and_what_somebody_is_are_one() -> None:
    lines = talk("my sister's coming", "Is Gabi staying long?")
    [gabi] = language.antecedents.candidates(lines, {GABI}, ())
    assert [each.who for each in gabi.mentions] == ["Gabi", "sister"]
    assert gabi.best.called == "Gabi"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (talk("we went to Leeds", "How was it?"), "I fell over"),
        (talk("we went to Leeds", "How was it?"), "Tom was sick and he cried"),
        (talk(), "he fell over"),
        (talk("Hello", "Hello, Pip speaking!"), "he fell over"),
    ],
)
def test_where_nobody_is_meant_there_is_nobody(lines: list[Line], said: str) -> None:
    assert meant(said, lines, (), {"Pip"}) is None


def test_a_place_and_a_woman_are_no_he() -> None:
    for lines in (talk("we went to Leeds", "Lovely."), talk("Gabi went home", "Did she?")):
        found = meant("he was there", lines, {GABI}, {"Pip"})
        assert found is None or found.probability < SHOWN


def test_the_weights_are_of_the_signs() -> None:
    lines = talk("Tom fell")
    [tom] = language.antecedents.candidates(lines, (), ())
    signs = language.antecedents.signs(tom, [tom], lines, "he cried", ())
    assert with_pairs(np.ones((1, len(signs)))).shape[1] == len(shipped().weights)


def test_the_sentence_that_mentions_somebody_is_shown() -> None:
    sentence_with = language.antecedents.sentence_with
    said = ["It rained.", "Is Tom here? Tom fell off the wall. It was high."]
    assert sentence_with("tom", said) == "Tom fell off the wall."
    assert sentence_with("bea", said) == ""
