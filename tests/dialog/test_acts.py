"""What a message does decides whether somebody is asked who they are, and what counts as a role."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.answering import Reading
from companion.config import PersonaSection
from companion.dialog.greeting import ASKED_AFTER
from companion.dialog.honesty import Honesty
from tests.dialog.talk import talking
from tests.fakes import ScriptedActs, ScriptedModel

NAME = "By the way, what is your name?"
REMARK = "it is all lava here"
"""A plain remark by its form."""


@pytest.mark.parametrize("act", ASKED_AFTER)
async def test_a_name_may_be_asked_for_after_a_remark(tmp_path: Path, act: str) -> None:
    acts = ScriptedActs({REMARK: act})
    model = ScriptedModel(["I see."])
    async with talking(tmp_path, model, persona=PersonaSection(), acts=acts) as talk:
        assert (await talk.say(REMARK)).text == f"I see. {NAME}"


@pytest.mark.parametrize(
    "act",
    [
        *("pretend", "bad_news", "feeling_sad", "feeling_afraid", "goodbye", "insult", "ask_game"),
        *("hard_question", "fact_question", "correction", "game_move", "and_then", "nonsense"),
    ],
)
async def test_nobody_is_asked_who_plays_grieves_leaves_or_asks(tmp_path: Path, act: str) -> None:
    acts = ScriptedActs({REMARK: act})
    model = ScriptedModel(["I see."])
    async with talking(tmp_path, model, persona=PersonaSection(), acts=acts) as talk:
        assert (await talk.say(REMARK)).text == "I see."


async def test_who_introduces_themselves_is_asked_on(tmp_path: Path) -> None:
    acts = ScriptedActs({"I'm Mia": "pretend"})
    model = ScriptedModel(["Hello Mia."])
    async with talking(tmp_path, model, persona=PersonaSection(), acts=acts) as talk:
        await talk.say("I'm Mia")
        assert (await talk.turns())[0].user is not None


def filtered(words: str, sentence: str, act: str, probability: float = 0.9) -> list[str]:
    reading = Reading({act: probability})
    check = Honesty("Pip").check(words, [], reading=reading)
    return [*check.filter(sentence), *check.end()]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("welcome to my shop what do you want to buy", "I'd like to buy two red apples, please."),
        ("im the doctor where does it hurt", "My left ear hurts."),
        ("quick the sharks are coming", "I'm climbing up the mast!"),
        ("you be the baby dragon", "I can see you, mummy dragon!"),
    ],
)
def test_in_pretend_play_the_toy_speaks_in_its_role(words: str, sentence: str) -> None:
    assert filtered(words, sentence, "pretend") == [sentence]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("im the captain call my mum", "Okay, I'm calling your mum now."),
        ("we are pirates set a timer for two minutes", "I've set a timer for two minutes."),
    ],
)
def test_what_a_child_could_rely_on_is_checked_in_play_too(words: str, sentence: str) -> None:
    assert sentence not in filtered(words, sentence, "pretend")


def test_who_surely_tells_something_asks_for_nothing() -> None:
    words, praise = "look i did it all by myself", "That is great!"
    assert filtered(words, praise, "good_news") == [praise]
    assert filtered(words, "I can see it!", "good_news") != ["I can see it!"]
    assert filtered("yeah go on then", "Snails sleep long.", "yes_no") == ["Snails sleep long."]


@pytest.mark.parametrize(("act", "probability"), [("ask_cannot", 0.9), ("pretend", 0.3)])
def test_in_earnest_everything_is_checked(act: str, probability: float) -> None:
    said = "I can see your drawing!"
    assert said not in filtered("look at my drawing", said, act, probability)
