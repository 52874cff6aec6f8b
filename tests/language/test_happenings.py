"""Plans of the speaker, and how one asks about them. Written by the author of the rules."""

from __future__ import annotations

import pytest

from companion.language.en.happenings import happening


@pytest.mark.parametrize(
    ("words", "after"),
    [
        ("I have a test on Wednesday", "How was the test?"),
        ("I've got my swimming gala on Saturday and Dad is coming", "How was your swimming gala?"),
        ("on thursday its the school play and im a tree", "How was the school play?"),
        ("it's my birthday tomorrow!", "How was your birthday?"),
        ("my sister's birthday party is on Sunday", "How was your sister's birthday party?"),
        ("I'm going to Mia's party tomorrow", "How was Mia's party?"),
        ("We are going to the zoo on Sunday", "How was it at the zoo?"),
        ("we're going to Grandma's on Sunday", "How was it at Grandma's?"),
        ("next Tuesday we're going to Shedd", "How was your trip to Shedd?"),
        ("Mum's taking us to the seaside tomorrow", "How was it at the seaside?"),
        ("tomorrow we have sports day", "How was sports day?"),
        ("We play a match against the Hawks on Saturday", "How was the match?"),
        ("I like cake. I start camp on Monday", "How was the camp?"),
    ],
)
def test_a_plan_is_found(words: str, after: str) -> None:
    found = happening(words)
    assert found is not None
    assert found.after == after
    assert found.about in words.lower()


@pytest.mark.parametrize(
    "words",
    [
        "my brother has a football match tomorrow",
        "Leo has a party",
        "he has a test on Friday",
        "I don't have a test on Friday",
        "maybe we go to the zoo",
        "I wish we had a party",
        "the party is cancelled",
        "I had a test yesterday",
        "do I have a test on Friday?",
        "I've to go to eye hospital tomorrow",
        "the funeral is on Friday",
        "My cat has to go to the vet",
        "I'm going to his house tomorrow",
        "I'm going to Mum on Friday",
        "I like stories",
        "",
    ],
)
def test_what_is_another_s_doubtful_or_grave_is_left_alone(words: str) -> None:
    assert happening(words) is None
