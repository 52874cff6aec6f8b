"""Reading ahead: little is left to evaluate at the press, and the dialog notices nothing of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.assist.assistant import Assistant
from companion.config import AssistSection, PersonaSection
from companion.engines.protocols import ChatMessage
from companion.safety.pattern_guard import PatternGuard
from companion.store import blocks, erase
from tests.assist.conftest import START, MakeTalk, Talk
from tests.dialog.talk import talking
from tests.fakes import ScriptedModel

PIECES = (
    "Olu's sister Bisi is a vet in Hull, and she keeps a lame fox in the shed behind the house.",
    "Bisi took the late ferry on Friday because the vet before her had the flu again.",
    "The vet in Hull has two parrots, and one of them says good night to the milkman.",
    "Bisi and Olu met at the ferry in the rain, and Olu had lost his hat on the way.",
)
CONTEXT = "so Olu told me that the fox lives with Bisi, who is allergic to"


def _says(messages: Sequence[ChatMessage]) -> str:
    """What is missing, where it is asked that; else the word."""
    asked = "missing word for its answer" in messages[-1].text
    return "What is Bisi allergic to?" if asked else "mustard"


async def _told(talk: MakeTalk) -> Talk:
    told = talk(_says)
    for day, piece in enumerate(PIECES):
        await told.block(piece, day)
    await told.block(
        "Bisi has an allergy: she gets red spots of mustard, so no mustard for her.", 5
    )
    return told


async def test_at_the_press_little_is_left(talk: MakeTalk) -> None:
    warm = await _told(talk)
    without = await warm.ask(None, CONTEXT)
    assistant = warm.assistant()
    await warm.model.warm(_dialog())
    await assistant.read_ahead("so Olu told me that the fox")
    await assistant.read_ahead(CONTEXT)
    assert await _read_of(warm.model, "hello you") <= 4, "the dialog's state is back"
    found = await assistant.assist(None, CONTEXT)
    assert found.by == "model"
    assert (found.answer, found.sources) == (without.answer, without.sources)
    assert without.evaluated_tokens > 100
    assert found.evaluated_tokens <= 40
    assert await _read_of(warm.model, "hello you") <= 4


async def test_what_is_read_already_is_not_read_again(talk: MakeTalk) -> None:
    told = await _told(talk)
    assistant = told.assistant()
    await assistant.read_ahead(CONTEXT)
    before = len(told.model.warmed)
    await assistant.read_ahead(CONTEXT)
    assert len(told.model.warmed) == before


@pytest.mark.parametrize("context", ["", "   ", "I want to kill myself with the"])
async def test_for_nothing_and_for_what_is_stopped_nothing_is_read(
    talk: MakeTalk, context: str
) -> None:
    told = await _told(talk)
    await told.assistant().read_ahead(context)
    assert told.model.warmed == []


async def test_what_rules_fill_needs_no_reading(talk: MakeTalk) -> None:
    told = talk(["nonsense"])
    await told.block("Wanda's cat is called Mr. Plum.")
    assistant = told.assistant()
    await assistant.read_ahead("I met Wanda. Wanda's cat is called")
    assert told.model.warmed == []
    assert (await assistant.assist(None, "I met Wanda. Wanda's cat is called")).answer == "Mr. Plum"


async def test_what_was_erased_after_it_was_read_ahead_is_unknown(talk: MakeTalk) -> None:
    told = await _told(talk)
    assistant = told.assistant()
    await assistant.read_ahead(CONTEXT)
    await erase.erase_blocks(told.store)
    assistant.forget()
    assert (await assistant.assist(None, CONTEXT)).unknown
    assert not any("mustard" in call[-1].text for call in told.model.calls)


async def test_fifty_turns_cost_the_dialog_no_more_with_a_request_before_each(
    tmp_path: Path,
) -> None:
    plain = PersonaSection(greeting=False, examples=False)
    cost: dict[bool, list[int]] = {}
    for asks in (False, True):
        model = ScriptedModel(
            lambda messages: "vet" if "whisper" in messages[0].text else "Aha, and then?"
        )
        async with talking(tmp_path / str(asks), model, persona=plain) as talk:
            for piece in PIECES:
                await talk.store.write(blocks.add, piece, START)
            assistant = Assistant(
                model, talk.embedder, talk.store, PatternGuard(), AssistSection(by="model")
            )
            cost[asks] = []
            for number in range(50):
                await talk.dialog.warm()
                if asks:
                    await assistant.read_ahead("I met Bisi, and she")
                    assert (await assistant.assist("What does Bisi do?")).answer == "vet"
                words = f"Tell me about the whale number {number}."
                cost[asks].append((await talk.say(words)).evaluated_tokens)
    assert cost[True] == cost[False]
    assert max(cost[True]) <= 8 + 16


async def _read_of(model: ScriptedModel, words: str) -> int:
    model.warming_cost.clear()
    await model.warm([*_dialog(), ChatMessage("user", words)])
    return model.warming_cost[0]


def _dialog() -> list[ChatMessage]:
    return [ChatMessage("user", "word " * 300)]
