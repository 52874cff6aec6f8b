from __future__ import annotations

import pytest

from companion.voice.turns.wake_phrase import after_wake


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Hey Pip, what's up?", "what's up?"),
        ("hey pip tell me a story", "tell me a story"),
        ("Hey, Pip! Tell me. Now!", "Tell me. Now!"),
        ("Hey Pep, sing!", "sing!"),
        ("A pip. Sing!", "Sing!"),
        ("Hay Pip sing", "sing"),
        ("Heypip, sing", "sing"),
        ("Hey Pipp sing", "sing"),
        ("Um, okay, hey Pip, sing", "sing"),
        ("Hey Pip.", ""),
        ("Hey, pup", ""),
        ("Hey Pip, hey Pip, sing", "hey Pip, sing"),
    ],
)
def test_the_words_after_the_phrase_are_meant(text: str, after: str) -> None:
    assert after_wake(text, ["hey pip"]) == after


@pytest.mark.parametrize(
    "text",
    [
        "",
        "...",
        "Hello there.",
        "Happy birthday to you!",
        "Hey Pete, come here.",
        "Hey people.",
        "Help me please.",
        "I keep it in my bag.",
        "Hip hip hooray!",
        "I like apple pie.",
        "A big dog.",
        "Hey Phil!",
        "The puppy is happy.",
        "Today we went to the zoo and said hey Pip to a bear.",
    ],
)
def test_other_talk_does_not_wake(text: str) -> None:
    assert after_wake(text, ["hey pip"]) is None


@pytest.mark.parametrize(
    "text", ["Hello Robin, sing", "hallo robin sing", "Hello Robyn. sing", "Hello, robbing sing"]
)
def test_a_longer_phrase_may_be_misheard_more(text: str) -> None:
    assert after_wake(text, ["hey pip", "hello robin"]) == "sing"


@pytest.mark.parametrize("text", ["Hey, Pat.", "Hey pet"])
def test_the_phrase_alone_may_be_misheard_more(text: str) -> None:
    assert after_wake(text, ["hey pip"]) == ""
    assert after_wake(f"{text}, come here.", ["hey pip"]) is None


def test_no_phrase_never_wakes() -> None:
    assert after_wake("Hey Pip", []) is None
    assert after_wake("Hey Pip", [""]) is None
