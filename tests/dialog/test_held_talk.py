"""What was told in the running talk may be said, though no message of it says all of it."""

from __future__ import annotations

import pytest

from companion.dialog.answer_span import AnswerSpan
from companion.dialog.held import hold
from companion.dialog.replies import NOT_REMEMBERED
from companion.dialog.window import Exchange, Window
from companion.recall.protocol import EMPTY
from companion.records import Profile

NOTHING = AnswerSpan("Oh", -8.0)
"""The span reader has found no answer."""


def talk(*said: str) -> Window:
    return tuple(Exchange(n, each, "Tell me more.") for n, each in enumerate(said, start=1))


BIKE = talk("i got a new bike", "its purple with a bell that goes ding", "then i had a plum")
TEAM = talk("we made football teams", "me and oskar are captains", "we're called the thunder ducks")
LEAVING = talk("My teacher is leaving.", "I made her a card.", "The new one is called Mr Okafor.")
COUSINS = talk("i have two cousins coming", "Ivy is six and Bram is nine")
KITE = talk("we flew it on the beach", "my cousin Jonah ran after it and he fell in a puddle")
ZOO = talk("We went to the aquarium.", "I liked the octopus best, it squished through a hole.")


@pytest.mark.parametrize(
    ("window", "words", "answer", "span"),
    [
        (BIKE, "what colour's my bike", "Purple with a bell that goes ding.", None),
        (TEAM, "what did i say my team was", "The Thunder ducks.", None),
        (LEAVING, "who's gonna be my new teacher", "Mr Okafor.", NOTHING),
        (COUSINS, "how old's bram", "Nine.", None),
        (KITE, "who fell in the puddle", "Jonah.", None),
        (ZOO, "which animal did i like best at the aquarium", "The octopus.", None),
    ],
)
def test_what_was_told_in_the_talk_is_said(
    window: Window, words: str, answer: str, span: AnswerSpan | None
) -> None:
    held = hold(words, EMPTY, window, Profile(), span=span, of_memory=True)
    assert held is not None
    assert not held.unknown
    assert held.filter([answer]) == [answer]


CAR = talk("Me and dad are building a go kart", "we got pram wheels", "we havent decided yet")
BOAT = talk("we've got a boat", "my cousin is called Wilbur", "he is eight")


@pytest.mark.parametrize(
    ("window", "words", "answer", "span"),
    [
        (CAR, "what did we call our go kart", "It's called the Pram Kart.", NOTHING),
        (BOAT, "what's my boat called", "Wilbur.", None),
        (BIKE, "what colour's my bike", "Green with a bell.", None),
        (COUSINS, "how old's bram", "Six.", None),
    ],
)
def test_what_was_not_told_is_not(
    window: Window, words: str, answer: str, span: AnswerSpan | None
) -> None:
    held = hold(words, EMPTY, window, Profile(), span=span, of_memory=True)
    assert held is not None
    [said] = [held.instead()] if held.unknown else held.filter([answer])
    assert said in NOT_REMEMBERED
