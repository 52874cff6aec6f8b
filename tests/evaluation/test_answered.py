"""What an arm says is marked; what is said because its model has failed is not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.engines.protocols import ChatMessage, Generation, Options
from companion.errors import EngineError
from companion.evaluation.answered import answered
from companion.evaluation.simulation.asking import Parked
from companion.evaluation.simulation.seat import MemorySeat
from tests.dialog.talk import talking
from tests.fakes import ScriptedGeneration, ScriptedModel


class BreakingModel(ScriptedModel):
    """A server that breaks its answer off after so many words."""

    def __init__(self, words: int) -> None:
        super().__init__(["I like it. I like it very much. What about you?"])
        self._words = words

    def generate(self, messages: Sequence[ChatMessage], options: Options) -> Generation:
        return _Broken(self, messages, options, self._words)


class _Broken(ScriptedGeneration):
    def __init__(
        self,
        model: ScriptedModel,
        messages: Sequence[ChatMessage],
        options: Options,
        words: int,
    ) -> None:
        super().__init__(model, messages, options)
        self._left = words

    async def __anext__(self) -> str:
        if self._left == 0:
            raise EngineError("the server http://10.0.0.9 broke off its answer")
        self._left -= 1
        return await super().__anext__()


@pytest.mark.parametrize("words", [0, 5])
async def test_a_model_that_fails_gives_no_answer_to_be_marked(tmp_path: Path, words: int) -> None:
    async with talking(tmp_path, BreakingModel(words)) as talk:
        with pytest.raises(EngineError, match="gave no reply, or broke it off"):
            await answered(talk.dialog, "What do you like?", keep=False)
        with pytest.raises(Parked, match="gave no reply, or broke it off"):
            await MemorySeat(talk.dialog).say("What do you like?")


async def test_an_answer_is_the_whole_of_it(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["I like it. Do you?"])) as talk:
        assert (await answered(talk.dialog, "Well?", keep=False)).text == "I like it. Do you?"
        assert await talk.turns() == []
