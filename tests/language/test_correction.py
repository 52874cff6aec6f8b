"""What takes back or changes something said before."""

from __future__ import annotations

import pytest

from companion.language.en import correction


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        (
            "The chess fair is on 3 May 2026.",
            'Asked "The fair?": "it\'s chess on Friday now"',
            True,
        ),
        ("The user's best crisps are paprika.", "I've gone off paprika crisps", True),
        ("Ottilie and Bea are cross.", "Ottilie dances with Bea instead", False),
        ("The user's mum is a nurse.", "Mum's late, it's Sunday now", False),
        ("The user skates on Monday.", "the boat trip is on Monday now", False),
    ],
)
def test_a_correction_is_about_the_same_thing(old: str, new: str, same: bool) -> None:
    assert correction.same_thing(old, new, other_day=False) is same


def test_of_two_days_one_word_tells_that_they_are_of_the_same() -> None:
    old, new = "The user's speech at the long fair is tomorrow.", "the fair is on Monday now"
    assert correction.same_thing(old, new, other_day=True)
    assert not correction.same_thing(old, new, other_day=False)


@pytest.mark.parametrize(
    ("said", "before", "name"),
    [
        ("Forget that.", True, ""),
        ("Actually, can you forget that? Don't keep that bit.", True, ""),
        ("I went into the shed and I cried on the mats. Forget that.", False, ""),
        ("The Otto thing. Forget it.", True, "Otto"),
        ("forget what I said about Hetty", True, "Hetty"),
    ],
)
def test_what_is_to_be_forgotten(said: str, before: bool, name: str) -> None:
    assert correction.withdraws(said)
    assert correction.takes_back_the_turn_before(said) is before
    assert correction.withdrawn_name(said) == name
