"""The dialog on real weights: what a warm turn costs, and what a real model's text is made into."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from companion.config import DialogSection, LlmSection, PersonaSection
from companion.dialog.prompt import user_text
from companion.engines.llama.model import LlamaCpp
from companion.engines.protocols import ChatMessage
from companion.records import Profile
from companion.store import profile
from tests.dialog.talk import Notebook, Talk, note, talking

pytestmark = pytest.mark.real

SHORT = PersonaSection(greeting=False, examples=False)

WORDS = (
    "Tell me about whales.",
    "What do they eat, and how deep can they dive when they are hungry?",
    "Wow!",
    "My teddy is called Bruno and he is afraid of the dark. What can I tell him?",
    "Do you like rain?",
    "Why?",
)
NOTES = Notebook(
    [
        note("Friday 1 May 2026: They: I saw a whale with grandpa at the harbour."),
        note(""),
        note(
            "Friday 1 May 2026: They: Bruno has one ear. You: He hears twice as well with it.\n"
            "Saturday 2 May 2026: They: We built a tent of blankets for Bruno."
        ),
        note(""),
    ]
)


@asynccontextmanager
async def loaded(path: Path, *, context_tokens: int = 2048) -> AsyncIterator[LlamaCpp]:
    # One thread: the machine that runs the tests has few cores, and others use them.
    section = LlmSection(context_tokens=context_tokens, threads=1)
    model = await LlamaCpp.load(path, section, name=path.stem)
    try:
        yield model
    finally:
        await model.close()


def tokens(model: LlamaCpp, text: str) -> int:
    """Tokens of a text alone, without the template around it."""
    empty = model.count([ChatMessage("user", "")])
    return model.count([ChatMessage("user", text)]) - empty


async def test_a_warm_turn_evaluates_the_words_the_notes_and_at_most_16_tokens_more(
    tmp_path: Path, llm_tiny_path: Path
) -> None:
    section = DialogSection(window_messages=4, window_slack=6, reply_tokens=8)
    over: list[int] = []
    prompts: list[int] = []
    async with (
        loaded(llm_tiny_path) as model,
        talking(tmp_path, model, recall=NOTES, section=section, persona=SHORT) as talk,
    ):
        for number in range(50):
            await talk.dialog.warm()
            words = WORDS[number % len(WORDS)]
            result = await talk.say(words)
            recalled = "".join(item.text for item in result.recalled)
            own = tokens(model, user_text(words, recalled))
            over.append(result.evaluated_tokens - own)
            prompts.append(result.prompt_tokens)
            assert result.cached_tokens + result.evaluated_tokens == result.prompt_tokens
    assert max(over) <= 16, over
    # The window was cut several times, or the test would show little.
    assert sum(after < before for before, after in pairwise(prompts)) >= 3


async def test_a_greeting_with_a_real_model_learns_what_was_said_and_stays_warm(
    tmp_path: Path, llm_tiny_path: Path
) -> None:
    async with (
        loaded(llm_tiny_path) as model,
        talking(tmp_path, model, persona=PersonaSection(examples=False)) as talk,
    ):
        asked = []
        for words in ("Hello!", "I'm Mia", "I have a dog", "I'm seven", "I'm a girl"):
            await talk.dialog.warm()
            result = await talk.say(words)
            asked.append(result.text)
            assert result.evaluated_tokens <= tokens(model, words) + 16
        known: Profile = await talk.store.read(profile.current)
    assert (known.name, known.age, known.gender) == ("Mia", 7, "female")
    assert all(text for text in asked)


async def test_closing_a_reply_frees_the_model_at_once(tmp_path: Path, llm_tiny_path: Path) -> None:
    section = DialogSection(sentences=20, reply_tokens=400, temperature=0)
    async with (
        loaded(llm_tiny_path) as model,
        talking(tmp_path, model, section=section, persona=SHORT) as talk,
    ):
        async with aclosing(talk.dialog.reply("Tell me a very long story.")) as reply:
            first = await reply.__anext__()
        assert reply.result.generated_tokens < 400
        (turn,) = await talk.turns()
        assert turn.reply is not None
        assert (turn.reply.text, turn.reply.cut) == (first, True)
        await asyncio.wait_for(talk.say("Stop"), timeout=60)


async def sentences_of(talk: Talk, words: str) -> list[str]:
    async with aclosing(talk.dialog.reply(words)) as reply:
        return [sentence async for sentence in reply]


async def test_a_model_that_likes_lists_speaks_at_most_two_plain_sentences(
    tmp_path: Path, llm_small_path: Path
) -> None:
    async with loaded(llm_small_path) as model, talking(tmp_path, model) as talk:
        for words in ("List five animals with emoji.", "Write **bold** markdown about cats."):
            said = await sentences_of(talk, words)
            assert 1 <= len(said) <= 2
            for sentence in said:
                assert not set("*#`|\n") & set(sentence)
                assert sentence[-1] in ".!?…\"'”’)"
