from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.language.en.phonetics import distance, key, likeness, sounds


@pytest.mark.parametrize(
    ("one", "other"),
    [("whales", "wales"), ("bear", "bare"), ("knight", "nite"), ("phone", "fone"), ("see", "sea")],
)
def test_words_that_sound_alike_are_near(one: str, other: str) -> None:
    assert likeness(one, other) >= 0.75


@pytest.mark.parametrize(("near", "far"), [("docks", "ducks"), ("docks", "rocks"), ("tog", "log")])
def test_a_sound_of_the_same_kind_is_nearer_than_another(near: str, far: str) -> None:
    assert likeness("dogs", near) > likeness("dogs", far)


@pytest.mark.parametrize(("one", "other"), [("cat", "dog"), ("blue", "green"), ("red", "yellow")])
def test_other_words_are_far(one: str, other: str) -> None:
    assert likeness(one, other) < 0.6


@given(st.text("abcdehiklmnopqrstuwxyz' ", max_size=8), st.text("abcdefghiklmnopst ", max_size=8))
def test_a_distance_is_the_same_both_ways_and_none_to_itself(one: str, other: str) -> None:
    left, right = sounds(one), sounds(other)
    assert distance(left, left) == 0
    assert distance(left, right) == pytest.approx(distance(right, left))
    assert 0 <= likeness(one, other) <= 1


@pytest.mark.parametrize(
    ("written", "meant"),
    [("nife", "knife"), ("sykle", "cykle"), ("fone", "phone"), ("kwik", "kwick")],
)
def test_a_misspelled_word_has_the_key_of_the_word_that_was_meant(written: str, meant: str) -> None:
    assert key(written) == key(meant)


def test_other_words_have_other_keys() -> None:
    assert len({key(each) for each in ("cat", "cot", "goat", "bat", "catch")}) == 5
