"""What is told is said back in the person's own words, before what is written for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.answering import Answer, Heard
from companion.dialog import reflection
from companion.engines.protocols import ChatMessage
from companion.errors import EngineError
from tests.dialog.talk import talking
from tests.fakes import ScriptedModel

TOLD = "a big chicken was in our garden and it knew my name"
WRITTEN = Answer(("I see.",), "repertoire:listening", after=("Go on!",))


class Listens:
    """Has one written answer for everything."""

    def __init__(self, answer: Answer = WRITTEN) -> None:
        self._answer = answer

    async def answer(self, heard: Heard) -> Answer | None:
        return self._answer


@pytest.mark.parametrize(
    ("model_says", "said", "by"),
    [
        ("A chicken that knew your name! Ha.", "A chicken that knew your name! Go on!", None),
        ("A chicken that ate your name!", "I see.", "repertoire:listening"),
        ("What a day!", "I see.", "repertoire:listening"),
        ("", "I see.", "repertoire:listening"),
    ],
)
async def test_only_what_was_told_is_said_back(
    tmp_path: Path, model_says: str, said: str, by: str | None
) -> None:
    model = ScriptedModel([model_says])
    async with talking(tmp_path, model, answerers=[Listens()], says_back=True) as talk:
        await talk.dialog.warm()
        result = await talk.say(TOLD)
    assert (result.text, result.by) == (said, by or reflection.BY)
    assert model.calls[-1] == (*reflection.head(), ChatMessage("user", TOLD))


async def test_nobody_waits_until_the_prompt_has_been_read(tmp_path: Path) -> None:
    model = ScriptedModel(["A chicken!"])
    async with talking(tmp_path, model, answerers=[Listens()], says_back=True) as talk:
        assert (await talk.say(TOLD)).text == "I see."
    assert model.calls == []


async def test_an_answer_that_takes_nothing_up_stands_as_it_is(tmp_path: Path) -> None:
    plain = Listens(Answer(("Hello.",), "repertoire"))
    async with talking(tmp_path, answerers=[plain], says_back=True) as talk:
        await talk.dialog.warm()
        assert (await talk.say(TOLD)).text == "Hello."


async def test_the_dialogs_state_is_put_back(tmp_path: Path) -> None:
    model = ScriptedModel(["A big chicken!"])
    async with talking(tmp_path, model, answerers=[Listens()], says_back=True) as talk:
        await talk.dialog.warm()
        await talk.say(TOLD)
        await talk.dialog.warm()
    assert model.warming_cost[-1] < 60


async def test_a_model_that_fails_leaves_the_written_reply(tmp_path: Path) -> None:
    def fails(messages: Sequence[ChatMessage]) -> str:
        raise EngineError("no model")

    model = ScriptedModel(fails)
    async with talking(tmp_path, model, answerers=[Listens()], says_back=True) as talk:
        await talk.dialog.warm()
        assert (await talk.say(TOLD)).text == "I see."
