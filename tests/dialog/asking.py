"""The written questions for name, age and gender, and what is known after them."""

from __future__ import annotations

from collections.abc import Sequence

from companion.config import PersonaSection
from companion.dialog.persona import CHANGE
from companion.engines.protocols import ChatMessage
from companion.records import Profile
from companion.store import profile
from tests.dialog.talk import Talk

GREETS = PersonaSection()
HELLO = "Hello, I am Pip! What is your name?"
NAME = "By the way, what is your name?"
AGE = "By the way, how old are you?"
GENDER = "By the way, are you a boy or a girl?"
REMARKS = ("I like dogs", "It is raining", "We had pizza", "It is windy", "My hat is red")


async def known(talk: Talk) -> tuple[str | None, int | None, str | None]:
    current: Profile = await talk.store.read(profile.current)
    return current.name, current.age, current.gender


def about_the_person(messages: Sequence[ChatMessage]) -> str:
    """The message of the head that says who listens."""
    return next(each.text for each in messages if each.text.startswith(CHANGE))


async def replies(talk: Talk, *words: str) -> list[str]:
    return [(await talk.say(each)).text for each in words]
