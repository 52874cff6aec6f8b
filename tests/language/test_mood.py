"""The mood of a sentence: the first that fits, the gravest first."""

from __future__ import annotations

import pytest

from companion import language


@pytest.mark.parametrize(
    ("sentence", "mood"),
    [
        ("Oh no! Please be careful!", "serious"),
        ("Oh no, that's sad. Do you want to tell me?", "sorry"),
        ("Wow! What did it look like?", "curious"),
        ("Wow, hooray!", "glad"),
        ("A whale is a mammal.", "calm"),
        ("", "calm"),
    ],
)
def test_the_gravest_comes_first(sentence: str, mood: str) -> None:
    assert language.mood.of(sentence) == mood
