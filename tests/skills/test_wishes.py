"""Wishes with more words than the patterns of a skill know. Most are strangers' (sets that were
looked at while the table was written)."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import language
from tests.skills.playing import playing


@pytest.mark.parametrize(
    ("table", "entry", "words"),
    [
        ("stories", "story", "tell me story bout a digger"),
        ("stories", "story", "do a spooky story but not too spooky cause its nearly bed"),
        ("jokes", "joke", "say a joke that has a chicken but not the road one"),
        ("jokes", "riddle", "give me a riddle a hard one not baby"),
        ("games", "sums", "can you do sums with me like take aways"),
        ("games", "your_animal", "lets play twenty questions you think of something"),
    ],
)
def test_a_wish_with_many_words_is_understood(table: str, entry: str, words: str) -> None:
    assert language.skills.asks(table, entry, language.skills.plain(words, "Pip"))


@pytest.mark.parametrize(
    "words",
    [
        "my teacher told us a story about a dog today",
        "let me tell you a joke",
        "do you want to hear my joke",
        "i wrote a story about a dragon",
        "that joke made me sad",
        "tell my mum i finished the story",
        "the story was boring tell her",
        "can you help me with my maths",
    ],
)
def test_talk_about_a_story_is_no_wish(words: str) -> None:
    plain = language.skills.plain(words, "Pip")
    for table, entry in (("stories", "story"), ("jokes", "joke"), ("games", "sums")):
        assert language.skills.asks(table, entry, plain) is None


def test_what_a_wish_is_about_is_found() -> None:
    asked = language.skills.asks("stories", "story", "tell me story bout a digger")
    assert asked is not None
    assert asked["about"] == "digger"


async def test_a_wish_may_come_last(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        said = await play.say("We went to the zoo and it was hot. Tell me a story about a penguin.")
        assert "penguin" in said
        assert await play.say("My brother told a joke. He told it at school.") == ""
