"""Of whom a story is wanted."""

from __future__ import annotations

import pytest

from companion import language


@pytest.mark.parametrize(
    ("words", "first", "after"),
    [
        ("a story about a goat that lives in a lift", "a goat that lives in a lift", "the goat"),
        ("story with a pirate but he's scared and and he has a duck", "a pirate", "the pirate"),
        ("a bedtime story about two dragons", "two dragons", "the two dragons"),
        ("can you tell us a story about dinosaurs please", "some dinosaurs", "the dinosaurs"),
        ("tell me a story about Tilda", "Tilda", "Tilda"),
        ("a story about my little sister", "your little sister", "your little sister"),
        ("a story about a dog and a cat", "a dog and a cat", "the dog and the cat"),
        ("tell me one about the moon", "the moon", "the moon"),
    ],
)  # fmt: skip
def test_a_hero_is_named(words: str, first: str, after: str) -> None:
    plain = language.skills.plain(words, "Pip")
    assert language.skills.hero_of(plain, words) == language.skills.Hero(first, after)


@pytest.mark.parametrize(
    ("words", "first", "after"),
    [
        (
            "one where the princess is bad at sums and cross",
            "a princess that is bad at sums and cross",
            "the princess",
        ),
        (
            "one where the pig is king but not mean and there's a ferret called gordon",
            "a pig that is king, and a ferret called Gordon",
            "the pig and Gordon",
        ),
        (
            "a story where my cat flies and there's an owl called bo",
            "your cat, and an owl called Bo",
            "your cat and Bo",
        ),
        (
            "a story where a pig flies and my dog called bo",
            "a pig that flies, and your dog called Bo",
            "the pig and Bo",
        ),
        (
            "do a story where the lollipop lady is really a heron but nobody gets died",
            "a lollipop lady that is really a heron",
            "the lollipop lady",
        ),
    ],
)
def test_what_a_hero_is_and_who_comes_along_is_told(words: str, first: str, after: str) -> None:
    plain = language.skills.plain(words, "Pip")
    assert language.skills.hero_of(plain, words) == language.skills.Hero(first, after)


@pytest.mark.parametrize(
    "words",
    [
        "tell me a story",
        "a story about space",
        "tell me a story about something funny",
        "tell me a story about when you were little",
        "a story about me",
    ],
)
def test_nobody_is_named(words: str) -> None:
    assert language.skills.hero_of(language.skills.plain(words, "Pip"), words) is None
