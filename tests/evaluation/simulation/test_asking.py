"""Asking a model on a server: tried again, then named."""

from __future__ import annotations

import json

import pytest

from companion.config import LlmSection
from companion.engines.protocols import ChatMessage
from companion.engines.server.client import OpenAIServer
from companion.evaluation.simulation.asking import Asker, Parked
from companion.evaluation.simulation.judgement import Judgement
from companion.evaluation.simulation.models import section_of
from tests.engines.tiny_server import Fault, TinyServer
from tests.fakes import ScriptedModel

SCALE = Judgement("k", "d", "scale", (), 1)


@pytest.mark.parametrize("fault", ["status 400", "garbage", "cut"])
async def test_a_server_that_gives_no_answer_is_tried_again_then_named(fault: Fault) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async with TinyServer(ScriptedModel(), fault=fault) as server:
        section = section_of(f"{server.url}#big", LlmSection(), context=512)
        client = OpenAIServer(section)
        try:
            with pytest.raises(Parked, match=server.url):
                await Asker(client, sleep=sleep).ask(
                    [ChatMessage("user", "How natural is it?")],
                    SCALE.values,
                    max_tokens=20,
                )
        finally:
            await client.close()
    assert waits == [1.0, 4.0, 15.0]


async def test_a_server_judges_as_a_local_model_does() -> None:
    model = ScriptedModel(['{"reasons": [], "score": 2}'])
    async with TinyServer(model) as server:
        client = OpenAIServer(section_of(f"{server.url}#big", LlmSection(), context=512))
        try:
            values, raw = await Asker(client, pauses_s=()).ask(
                [ChatMessage("user", "How natural is it?")],
                SCALE.values,
                max_tokens=20,
                schema=SCALE.schema,
            )
        finally:
            await client.close()
    assert values == [2.0]
    assert json.loads(raw)["score"] == 2
