from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.config import DialogSection
from companion.dialog.prompt import MOST_CHARACTERS
from companion.dialog.recall_protocol import RecallResult
from companion.dialog.responder import LOST_THREAD, NO_WORDS
from companion.engines.protocols import ChatMessage
from companion.errors import ContextTooSmall, EngineError, InputError
from companion.store import history, memories, turn_index
from tests.dialog.talk import Notebook, note, talking
from tests.fakes import HashEmbedder, ScriptedModel


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


async def test_the_model_is_stopped_once_enough_is_said(tmp_path: Path) -> None:
    model = ScriptedModel(["One. Two. " + "More words. " * 40])
    async with talking(tmp_path, model) as talk:
        result = await talk.say("Hi")
    assert result.text == "One. Two."
    assert result.generated_tokens <= 4


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


class FailingModel(ScriptedModel):
    """Fails like an engine that lost its device."""

    def answer(self, messages: Sequence[ChatMessage], options: object) -> str:
        raise EngineError("the engine failed")


async def test_a_failing_engine_ends_in_a_calm_sentence_and_the_turn_is_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        async with talking(tmp_path, FailingModel()) as talk:
            assert (await talk.say("my secret words")).text == LOST_THREAD
            (turn,) = await talk.turns()
    assert turn.reply is not None
    assert turn.reply.text == LOST_THREAD
    assert "the engine failed" in caplog.text
    assert "secret" not in caplog.text


class Forgetful(Notebook):
    """A recall whose embedder has failed."""

    async def recall(self, query: str, **rest: object) -> RecallResult:
        raise EngineError("the embedder failed")


async def test_without_an_embedder_it_still_answers_and_the_turn_waits_for_its_vectors(
    tmp_path: Path,
) -> None:
    embedder = HashEmbedder()
    async with talking(tmp_path, recall=Forgetful(), embedder=embedder) as talk:
        await embedder.close()
        assert (await talk.say("My cat is Tom")).text == "That is nice."
        waiting = await talk.store.read(turn_index.unembedded_turns, embedder.name, 10)
        assert [turn.number for turn in waiting] == [1]


async def test_the_model_is_free_while_the_last_sentence_is_spoken(tmp_path: Path) -> None:
    model = ScriptedModel(["One. Two. Three."])
    async with talking(tmp_path, model) as talk, aclosing(talk.dialog.reply("Hi")) as reply:
        assert await reply.__anext__() == "One."
        assert await reply.__anext__() == "Two."
        assert not model.busy.locked()


async def test_a_model_without_speakable_words_still_gets_an_answer(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["😊 *smiles* ```x```"])) as talk:
        assert (await talk.say("Hi")).text == NO_WORDS


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


async def test_what_is_recalled_stands_before_the_words_and_stays_there(tmp_path: Path) -> None:
    model = ScriptedModel(["Yes."])
    recall = Notebook([note("note one"), note("", id="m1"), note("note three")])
    async with talking(tmp_path, model, recall=recall) as talk:
        for words in ("first", "second", "third"):
            await talk.say(words)
        assert talk.dialog.why()[0].text == "note three"
    texts = [message.text for message in model.calls[-1] if message.role == "user"][-3:]
    assert "note one" in texts[0]
    assert texts[0].endswith("first")
    assert texts[1] == "second"
    assert "note three" in texts[2]


async def test_the_papers_notes_are_gone_with_their_turn(tmp_path: Path) -> None:
    model = ScriptedModel(["Yes."])
    recall = Notebook([replace(note("an old note"), place="system"), note("")])
    async with talking(tmp_path, model, recall=recall) as talk:
        await talk.say("first")
        await talk.say("second")
    assert "an old note" in model.calls[0][0].text
    assert not any("an old note" in message.text for message in model.calls[1])
    assert recall.asked[1][2] == {("2026-05-04-1", 1)}


async def test_recall_hears_what_the_prompt_shows_already(tmp_path: Path) -> None:
    recall = Notebook([note("an old turn", id="2026-05-01-1#7")])
    async with talking(tmp_path, recall=recall) as talk:
        await talk.say("first")
        await talk.say("and it?")
    _, (query, session, shown, previous) = recall.asked
    assert (query, session, previous) == ("and it?", "2026-05-04-1", "first")
    assert shown == {("2026-05-04-1", 1), ("2026-05-01-1", 7)}


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


async def test_a_context_too_small_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(ContextTooSmall, match="context_tokens is 200"):
        async with talking(tmp_path, ScriptedModel(context_tokens=200)):
            pass


async def test_a_long_conversation_in_a_small_context_never_fails(tmp_path: Path) -> None:
    model = ScriptedModel(["I see. Go on."], context_tokens=1200)
    recall = Notebook([note("note " * 60), note("")])
    section = DialogSection(window_messages=200, window_slack=0, reply_tokens=40)
    async with talking(tmp_path, model, recall=recall, section=section) as talk:
        for number in range(60):
            result = await talk.say(f"turn {number} " + "word " * 40)
            assert result.text == "I see. Go on."
    assert all(model.count(call) + 40 <= 1200 for call in model.calls)


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
