"""What a person said, said back to that person."""

from __future__ import annotations

import pytest

from companion.language.en.second_person import in_second_person


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("I am seven", "You are seven"),
        ("I’m Mia and that is my dog", "You're Mia and that is your dog"),
        ("my brother hit me", "Your brother hit you"),
        ("we saw ı there", "We saw ı there"),  # another letter, though any case of i matches it
    ],
)
def test_every_form_of_i_is_turned(said: str, back: str) -> None:
    assert in_second_person(said) == back
