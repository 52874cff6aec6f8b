"""A reply that is spoken aloud: it begins with a clause, can be stopped, and is kept as heard."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dialog.sentences import Sentences
from tests.dialog.talk import Notebook as Notes
from tests.dialog.talk import Talk, note, talking
from tests.fakes import ScriptedModel

REPLY = "Oh, that is a lovely name for a dog, Mia. Does he like to run?"


class SpeechOutput:
    """A delivery of which so many words are heard."""

    def __init__(self, words: int = 1000) -> None:
        self.words = words
        self.asked: list[str] = []

    async def heard(self, said: str) -> str:
        self.asked.append(said)
        return " ".join(said.split()[: self.words])


async def spoken(talk: Talk, words: str, mouth: SpeechOutput) -> list[str]:
    async with aclosing(talk.dialog.reply(words, delivery=mouth)) as reply:
        return [part async for part in reply]


async def test_the_first_clause_comes_before_its_sentence(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel([REPLY])) as talk:
        parts = await spoken(talk, "My dog is Biscuit", SpeechOutput())
        (turn,) = await talk.turns()
    assert parts == ["Oh, that is a lovely name for a dog,", "Mia.", "Does he like to run?"]
    assert turn.reply is not None
    assert (turn.reply.text, turn.reply.cut) == (REPLY, False)


async def test_no_clause_of_a_stock_refusal_is_spoken(tmp_path: Path) -> None:
    refusal = "Oh no, I'm so sorry, but I can't help you with that. You could ask a friend."
    kept = "Oh no, I'm so sorry, that sounds sad."
    async with talking(tmp_path, ScriptedModel([refusal, kept])) as talk:
        words = "the camel ate my homework"
        assert await spoken(talk, words, SpeechOutput()) == ["You could ask a friend."]
        assert " ".join(await spoken(talk, words, SpeechOutput())) == kept


async def test_what_was_not_heard_is_not_kept(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel([REPLY])) as talk:
        mouth = SpeechOutput(words=5)
        await spoken(talk, "My dog is Biscuit", mouth)
        (turn,) = await talk.turns()
        assert mouth.asked == [REPLY]
        assert turn.reply is not None
        assert (turn.reply.text, turn.reply.cut) == ("Oh, that is a lovely", True)
        await talk.say("And?")
        assert talk.model.calls[-1][-2].text == "Oh, that is a lovely"  # type: ignore[attr-defined]


async def test_a_reply_is_stopped_from_another_task_and_ends_for_who_reads_it(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(["One is here. Two is here."], seconds_per_token=0.02)
    async with talking(tmp_path, model) as talk:
        reply = talk.dialog.reply("Count", delivery=SpeechOutput())
        first = asyncio.Event()

        async def read() -> list[str]:
            parts = []
            async with aclosing(reply):
                async for part in reply:
                    parts.append(part)
                    first.set()
            return parts

        reading = asyncio.create_task(read())
        await first.wait()
        await reply.stop()
        assert await reading == ["One is here."]
        assert reply.result.cut
        (turn,) = await talk.turns()
    assert turn.reply is not None
    assert (turn.reply.text, turn.reply.cut) == ("One is here.", True)


async def test_a_reply_stopped_before_a_word_says_nothing(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel([REPLY])) as talk:
        reply = talk.dialog.reply("Count", delivery=SpeechOutput())
        await reply.stop()
        async with aclosing(reply):
            assert [part async for part in reply] == []
        (turn,) = await talk.turns()
    assert turn.reply is None
    assert turn.user is not None


async def test_words_that_were_expected_are_read_before_they_come(tmp_path: Path) -> None:
    notes = Notes([note("2 May: Mia said: Biscuit ran away.")])
    async with talking(tmp_path, ScriptedModel(["He is home."]), recall=notes) as talk:
        await talk.dialog.expect("Where is Biscuit now?")
        assert await talk.turns() == []
        result = await talk.say("Where is Biscuit now?")
        assert result.evaluated_tokens <= 1
        await talk.dialog.expect("")
        await talk.dialog.expect("x" * 20_000)


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("Oh, yes, I know it", None),
        ("That is so lovely, Mia", "That is so lovely,"),
        ("Numbers like 1,000,000 are very big, you see", "Numbers like 1,000,000 are very big,"),
        (
            'She said "come in, come in, dear" and then, later',
            'She said "come in, come in, dear" and then,',
        ),
        ("- one thing here, and\n- two", "one thing here,"),
        ("*waves, smiling a lot, gladly* hello", None),
    ],
)
def test_where_a_clause_ends(text: str, clause: str | None) -> None:
    machine = Sentences(2)
    assert machine.feed(text) == []
    assert machine.clause() == clause


@given(st.text('ab ,;.!"(*\n1', max_size=80), st.integers(0, 80))
def test_a_clause_taken_out_loses_no_word(text: str, at: int) -> None:
    whole = Sentences(50)
    expected = " ".join(whole.feed(text) + whole.finish(complete=True))
    machine = Sentences(50)
    parts = machine.feed(text[:at])
    if not parts and (clause := machine.clause()):
        parts.append(clause)
    parts += machine.feed(text[at:]) + machine.finish(complete=True)
    letters = [c for c in " ".join(parts) if c.isalnum()]
    assert letters == [c for c in expected if c.isalnum()]
