"""A sentence that says something back adds nothing, and changes nothing."""

from __future__ import annotations

import pytest

from companion import language


@pytest.mark.parametrize(
    ("sentence", "told", "said"),
    [
        ("Grass in my ear!", "I've got grass in my ear. Actual grass.", "Grass in your ear!"),
        ("I built it again!", "and hamish went bash and i built it again",
         "You built it again!"),
        ("You're so tired, like soup!", "I'm so tired I'm like soup",
         "You're so tired, like soup!"),
        ("Pip, you have four hens!", "pip i have four hens", "You have four hens!"),
        ("Papa made the porridge too thick, and the spoon stood up on its own!",
         "papa made the porridge too thick and the spoon stood up on its own",
         "Your papa made the porridge too thick!"),
        ("Mum trod in it in her sock.", "and then mum trod in it in her sock",
         "Your mum trod in it in her sock."),
    ],
)  # fmt: skip
def test_what_was_told_is_said_back(sentence: str, told: str, said: str) -> None:
    assert language.reflection.said_back(sentence, told) == said


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("You got picked for the relay.", "everybody got picked for the relay except me"),
        ("Your brother licked it, and you licked your lolly.", "he licked it he licked my lolly"),
        ("Shanice copied your drawing.", "i copied shanice's drawing"),
        ("You have a dog!", "i dont have a dog"),
        ("A dog called Rex!", "we have a dog"),
        ("You can fly!", "kofi says i can fly"),
        ("You fell in the pond!", "i nearly fell in the pond"),
        ("Everyone got put in the chat.", "everyone got put in the chat except me"),
        ("Salt!", "salt i said"),
        ("What did you do?", "i did the zip"),
        ("You had the whole morning.", "he had you all morning"),
        ("", "we have a dog"),
    ],
)
def test_what_was_not_told_is_not(sentence: str, told: str) -> None:
    assert language.reflection.said_back(sentence, told) is None
