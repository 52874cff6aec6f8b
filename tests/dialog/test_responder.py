"""The answer of a turn: what the model is shown, how much is said, what is said when it fails."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.answering import Answer, Heard
from companion.config import DialogSection
from companion.dialog.replies import LOST_THREAD, NO_ANSWER, NO_WORDS
from companion.engines.protocols import ChatMessage
from companion.errors import CompanionError, ContextTooSmall, EngineError
from companion.recall.protocol import Query, RecallResult
from companion.store import turn_index
from tests.dialog.talk import Notebook, note, talking
from tests.fakes import HashEmbedder, ScriptedModel


async def test_the_model_is_stopped_once_enough_is_said(tmp_path: Path) -> None:
    model = ScriptedModel(["One. Two. " + "More words. " * 40])
    async with talking(tmp_path, model) as talk:
        result = await talk.say("Hi")
    assert result.text == "One. Two."
    assert result.generated_tokens <= 4


class FailingModel(ScriptedModel):
    """Fails like an engine that lost its device, or a server with less room than it should have."""

    def __init__(self, error: CompanionError) -> None:
        super().__init__()
        self._error = error

    def answer(self, messages: Sequence[ChatMessage], options: object) -> str:
        raise self._error


@pytest.mark.parametrize("kind", [EngineError, ContextTooSmall])
async def test_a_failing_engine_ends_in_a_calm_sentence_and_the_turn_is_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, kind: type[CompanionError]
) -> None:
    with caplog.at_level(logging.DEBUG):
        async with talking(tmp_path, FailingModel(kind("the engine failed"))) as talk:
            assert (await talk.say("my secret words")).text == LOST_THREAD
            (turn,) = await talk.turns()
    assert turn.reply is not None
    assert turn.reply.text == LOST_THREAD
    assert "the engine failed" in caplog.text
    assert "secret" not in caplog.text


class Forgetful(Notebook):
    """A recall whose embedder has failed."""

    async def recall(self, query: Query) -> RecallResult:
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


async def test_a_stock_refusal_is_not_said(tmp_path: Path) -> None:
    words = "the camel ate my homework"
    refusals = ["I'm sorry, but I can't assist with that.", "Sorry, I can't help you with that."]
    async with talking(tmp_path, ScriptedModel(refusals)) as talk:
        for _ in refusals:
            assert (await talk.say(words)).text in NO_ANSWER
    kept = ["I'm sorry, but I can't call your dad.", "I'm sorry, your cat is ill."]
    async with talking(tmp_path / "kept", ScriptedModel(kept)) as talk:
        assert "your dad" in (await talk.say(words)).text
        assert (await talk.say(words)).text == kept[1]


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


class Shrugs:
    """Answers everything with a written reply that knows nothing."""

    async def answer(self, heard: Heard) -> Answer | None:
        return Answer(("I don't know it.",), "repertoire:act", unless_known=True)


@pytest.mark.parametrize(
    ("words", "recalled", "by"),
    [
        ("Why do crabs walk sideways?", RecallResult("", ()), "repertoire:act"),
        ("Why do crabs walk sideways?", note("Crabs tickle, Ana said."), "model"),
        ("What is my parrot called?", RecallResult("", ()), "model"),
    ],
)
async def test_a_written_shrug_is_no_answer_to_what_was_told(
    tmp_path: Path, words: str, recalled: RecallResult, by: str
) -> None:
    model = ScriptedModel(["I don't remember."])
    recall = Notebook((recalled,))
    async with talking(tmp_path, model, recall=recall, answerers=(Shrugs(),)) as talk:
        assert (await talk.say(words)).by == by
        assert len(recall.asked) == 1
