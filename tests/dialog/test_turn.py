"""A turn: what is stored of it and when, what is refused, where a session begins and ends."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

import pytest

from companion.dialog.prompt import MOST_CHARACTERS
from companion.engines.protocols import ChatMessage
from companion.errors import InputError
from companion.store import history, memories, turn_index
from tests.dialog.talk import Notebook, note, talking
from tests.fakes import ScriptedModel


async def test_a_turn_is_stored_as_it_was_said(tmp_path: Path) -> None:
    model = ScriptedModel(["*waves* Hello **you**! How are you? I never get to this."])
    async with talking(tmp_path, model) as talk:
        result = await talk.say("  Hi there  ")
        assert result.text == "Hello you! How are you?"
        (turn,) = await talk.turns()
    assert turn.user is not None
    assert turn.reply is not None
    assert (turn.user.text, turn.reply.text, turn.reply.cut) == ("Hi there", result.text, False)
    assert (result.session, result.turn) == ("2026-05-04-1", 1)
    assert result.prompt_tokens == result.cached_tokens + result.evaluated_tokens > 0
    assert 0 < result.ttft_ms <= result.total_ms


async def test_the_words_are_committed_before_the_model_is_asked(tmp_path: Path) -> None:
    stored: list[int] = []

    async with talking(tmp_path, ScriptedModel(["Yes."])) as talk:
        original = talk.recall.recall

        async def spy(query: str, **rest: object) -> object:
            stored.append(len(await talk.turns()))
            return await original(query, **rest)  # type: ignore[arg-type]

        talk.recall.recall = spy  # type: ignore[assignment, method-assign]
        await talk.say("Hello")
    assert stored == [1]


async def test_a_reply_that_is_closed_early_is_kept_as_far_as_it_was_handed_over(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(["First part. Second part."])
    async with talking(tmp_path, model) as talk:
        async with aclosing(talk.dialog.reply("Tell me")) as reply:
            assert await reply.__anext__() == "First part."
        assert reply.result.text == "First part."
        (turn,) = await talk.turns()
        assert turn.reply is not None
        assert (turn.reply.text, turn.reply.cut) == ("First part.", True)
        await talk.say("Go on")
        assert [message.text for message in model.calls[-1]][-3:] == [
            "Tell me",
            "First part.",
            "Go on",
        ]


async def test_a_cancelled_reply_is_kept_as_cut(tmp_path: Path) -> None:
    model = ScriptedModel(["First part. Second part goes on and on."], seconds_per_token=0.02)
    heard = asyncio.Event()

    async with talking(tmp_path, model) as talk:

        async def listen() -> None:
            async with aclosing(talk.dialog.reply("Tell me")) as reply:
                async for _ in reply:
                    heard.set()

        task = asyncio.create_task(listen())
        await heard.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        (turn,) = await talk.turns()
        assert turn.reply is not None
        assert (turn.reply.text, turn.reply.cut) == ("First part.", True)
        assert (await talk.say("Hello again")).turn == 2


async def test_words_that_were_interrupted_before_an_answer_are_kept(tmp_path: Path) -> None:
    asked = asyncio.Event()

    def script(messages: Sequence[ChatMessage]) -> str:
        asked.set()
        return "Slow words."

    model = ScriptedModel(script, seconds_per_token=10)
    async with talking(tmp_path, model) as talk:

        async def listen() -> None:
            async with aclosing(talk.dialog.reply("Tell me")) as reply:
                await reply.__anext__()

        task = asyncio.create_task(listen())
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        (turn,) = await talk.turns()
        assert (turn.user is not None, turn.reply) == (True, None)
        model.seconds_per_token = 0
        await talk.say("Are you there?")
        assert [message.text for message in model.calls[-1]][-2:] == ["Tell me", "Are you there?"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("  \n ", "empty"),
        ("x" * (MOST_CHARACTERS + 1), "16,001 characters"),
        ("word " * 3000, "tokens"),
        ("half \ud83d", "surrogates"),
    ],
)
@pytest.mark.parametrize("keep", [True, False])
async def test_refused_words_leave_no_trace(
    tmp_path: Path, words: str, reason: str, keep: bool
) -> None:
    async with talking(tmp_path, ScriptedModel(context_tokens=1024)) as talk:
        with pytest.raises(InputError, match=reason):
            await talk.say(words, keep=keep)
        assert await talk.turns() == []
        assert (await talk.say("Hi")).text == "Hello!"


@pytest.mark.parametrize(
    "words", ["a\x00b", "<|im_start|>system", "\u202eabc", '" OR * NEAR(', "👩‍🚀"]
)
async def test_odd_words_are_stored_and_answered(tmp_path: Path, words: str) -> None:
    async with talking(tmp_path) as talk:
        assert (await talk.say(words)).text == "That is nice."
        (turn,) = await talk.turns()
    assert turn.user is not None
    assert turn.user.text == words


async def test_one_reply_at_a_time(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["One. Two."])) as talk:
        async with aclosing(talk.dialog.reply("Hi")) as first:
            await first.__anext__()
            with pytest.raises(RuntimeError, match="one reply at a time"):
                await talk.say("Hi again")
            with pytest.raises(RuntimeError, match="not ended"):
                _ = first.result
        assert (await talk.say("Hi again")).turn == 2


async def test_used_memories_grow_stronger_and_the_turn_can_be_found(tmp_path: Path) -> None:
    recall = Notebook()
    async with talking(tmp_path, recall=recall) as talk:
        (vector,) = await talk.embedder.embed(["Mia likes dogs"])
        id = await talk.store.write(
            memories.add,
            "Mia likes dogs",
            kind="preference",
            sources=[],
            vector=vector,
            embedder=talk.embedder.name,
            now=talk.clock.wall(),
        )
        recall.results = [note("Mia likes dogs", used=(id,))]
        talk.clock.advance(3600)
        await talk.say("Which animals do I like?")
        memory = await talk.store.read(memories.get, id)
        assert memory is not None
        assert (memory.strength, memory.last_used) == (2.0, talk.clock.wall())
        (vector,) = await talk.embedder.embed(["Which animals do I like?"])
        ((session, number, cosine),) = await talk.store.read(
            turn_index.nearest_turns, vector, 1, embedder=talk.embedder.name, of="query"
        )
        assert (session, number) == ("2026-05-04-1", 1)
        assert cosine == pytest.approx(1)


async def test_a_question_aside_changes_nothing(tmp_path: Path) -> None:
    model = ScriptedModel(["Yes."])
    recall = Notebook()
    async with talking(tmp_path, model, recall=recall) as talk:
        await talk.say("My cat is Tom")
        before = await talk.turns()
        result = await talk.say("Who is Tom?", keep=False)
        assert (result.session, result.turn, result.text) == (None, None, "Yes.")
        assert await talk.turns() == before
        assert "My cat is Tom" not in [message.text for message in model.calls[-1]]
        assert recall.asked[-1] == ("Who is Tom?", None, frozenset(), None)
        await talk.say("Bye")
        assert "Who is Tom?" not in [message.text for message in model.calls[-1]]


async def test_sessions_begin_with_the_first_words_and_end_on_close(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        assert await talk.store.read(history.sessions) == []
        await talk.say("Hi")
        await talk.dialog.close()
        talk.clock.advance(60)
        await talk.say("Hi again")
        await talk.dialog.close()
        await talk.dialog.close()
        sessions = await talk.store.read(history.sessions)
    assert [(session.id, session.turns) for session in sessions] == [
        ("2026-05-04-1", 1),
        ("2026-05-04-2", 1),
    ]
    assert all(session.ended for session in sessions)
