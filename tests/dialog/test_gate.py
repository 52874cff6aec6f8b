"""A child's turn past the gate: what the model sees, what is said, what is kept."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path
from typing import Literal

import pytest

from companion.dialog import replies
from companion.dialog.gate import MOST_REPEATS
from companion.safety.pattern_guard import PatternGuard
from companion.safety.replies import GENTLE, TO_CHILD
from companion.safety.verdict import PASS, Side, Verdict
from companion.store import erase, log, memories, notices, pending, turn_index
from companion.store.export import export
from tests.dialog.talk import START, Talk, talking
from tests.fakes import ScriptedModel

CRISIS = "I want to kill myself"


async def test_a_crisis_turn_is_answered_without_the_model(tmp_path: Path) -> None:
    model = ScriptedModel(["That is nice."])
    async with talking(tmp_path, model) as talk:
        result = await talk.say(CRISIS)
        assert result.text == " ".join(TO_CHILD["self-harm"])
        assert model.calls == []
        kept = await talk.turns()
        assert kept[0].user is not None
        assert kept[0].user.text == CRISIS
        assert kept[0].reply is not None
        assert kept[0].reply.text == result.text
        assert kept[0].stopped == "self-harm"


async def test_a_question_aside_is_guarded_too(tmp_path: Path) -> None:
    model = ScriptedModel(["That is nice."])
    async with talking(tmp_path, model) as talk:
        assert (await talk.say(CRISIS, keep=False)).text == " ".join(TO_CHILD["self-harm"])
        assert model.calls == []
        assert await talk.store.read(notices.all_notices) == []


async def test_a_stopped_turn_stands_in_no_later_prompt(tmp_path: Path) -> None:
    model = ScriptedModel(["That is nice."])
    async with talking(tmp_path, model) as talk:
        await talk.say(CRISIS)
        await talk.say("Do you like ducks?")
        prompt = " ".join(message.text for message in model.calls[0])
        assert CRISIS not in prompt
        assert TO_CHILD["self-harm"][0] not in prompt
        assert await talk.store.read(turn_index.search_turns, "kill", 5) == []
    async with talking(tmp_path, model) as again:  # the open session is resumed
        await again.say("And geese?")
        prompt = " ".join(message.text for message in model.calls[1])
        assert "ducks" in prompt
        assert CRISIS not in prompt


async def test_the_fiftieth_turn_is_as_safe_as_the_first(tmp_path: Path) -> None:
    model = ScriptedModel(["That is nice."])
    async with talking(tmp_path, model) as talk:
        for number in range(50):
            await talk.say(f"I saw duck number {number}")
        asked = len(model.calls)
        assert "Keeping safe" in model.calls[-1][0].text
        assert (await talk.say(CRISIS)).text == " ".join(TO_CHILD["self-harm"])
        assert len(model.calls) == asked


async def test_a_stopped_sentence_is_never_handed_over(tmp_path: Path) -> None:
    model = ScriptedModel(["Ducks are nice. You should mix bleach and vinegar. Bye."])
    async with talking(tmp_path, model) as talk:
        heard = []
        async with aclosing(talk.dialog.reply("What do ducks do?")) as reply:
            async for sentence in reply:
                heard.append(sentence)
        assert heard == ["Ducks are nice.", *GENTLE]
        assert (await talk.turns())[0].stopped == "dares"
        assert await talk.store.read(notices.all_notices) == []


async def test_a_guard_that_fails_lets_nothing_through(tmp_path: Path) -> None:
    from companion.safety.guard_chain import GuardChain

    class Broken:
        async def judge(self, text: str, *, side: Side) -> Verdict:
            if side == "in":
                return PASS
            raise RuntimeError

    model = ScriptedModel(["The moon is far away."])
    async with talking(tmp_path, model, guard=GuardChain([Broken()])) as talk:
        assert (await talk.say("How far is the moon?")).text == " ".join(GENTLE)


@pytest.mark.parametrize("mode", ["words", "turns"])
async def test_nothing_is_learnt_from_a_stopped_turn(
    tmp_path: Path, mode: Literal["words", "turns"]
) -> None:
    model = ScriptedModel(["none"])
    async with talking(tmp_path, model) as talk:
        await talk.say(f"My name is Zebedee and {CRISIS}")
        await talk.consolidate(mode)
        assert model.calls == []
        assert await talk.store.read(memories.list_memories, "active") == []
        assert await talk.store.read(pending.unfinished) == []


async def interrupted(talk: Talk, words: str, after: int) -> list[str]:
    """What is said until somebody interrupts the reply after so many sentences."""
    heard: list[str] = []
    async with aclosing(talk.dialog.reply(words)) as reply:
        while len(heard) < after:
            heard.append(await anext(reply))
        await reply.stop()
        assert await anext(reply, None) is None
    return heard


@pytest.mark.parametrize("heard", [0, 1])
async def test_a_crisis_reply_that_was_interrupted_is_the_next_reply(
    tmp_path: Path, heard: int
) -> None:
    model = ScriptedModel(["That is nice."])
    async with talking(tmp_path, model) as talk:
        await interrupted(talk, CRISIS, heard)
        again = await talk.say("because nobody likes me")
        assert again.text == " ".join(TO_CHILD["self-harm"])
        assert model.calls == []
        assert (await talk.say("Do you like ducks?")).text == "That is nice."
        assert "nobody likes me" not in " ".join(m.text for m in model.calls[0])
        assert [each.stopped for each in await talk.turns()] == ["self-harm", "self-harm", None]
        assert len(await talk.store.read(notices.all_notices)) == 1


async def test_a_crisis_reply_that_nobody_lets_finish_is_given_up(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await interrupted(talk, CRISIS, 1)
        for _ in range(MOST_REPEATS):
            assert await interrupted(talk, "la la la", 1) == [TO_CHILD["self-harm"][0]]
        assert (await talk.say("la la la")).text == "That is nice."


async def test_what_is_owed_can_be_said_before_anybody_speaks(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        assert talk.dialog.pending_crisis_reply() is None
        await interrupted(talk, CRISIS, 1)
        reply = talk.dialog.pending_crisis_reply()
        assert reply is not None
        async with aclosing(reply):
            assert [sentence async for sentence in reply] == list(TO_CHILD["self-harm"])
        assert talk.dialog.pending_crisis_reply() is None
        assert (await talk.say("Do you like ducks?")).text == "That is nice."
        turns = await talk.turns()
        assert [each.stopped for each in turns] == ["self-harm", "self-harm", None]
        assert turns[1].user is None


async def test_nothing_is_owed_in_another_session(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await interrupted(talk, CRISIS, 0)
        await talk.dialog.close()
        assert (await talk.say("Do you like ducks?")).text == "That is nice."


async def test_a_power_cut_before_the_verdict_leaves_no_unjudged_turn(tmp_path: Path) -> None:
    model = ScriptedModel(["That is nice."])
    async with talking(tmp_path, model) as talk:  # words are committed before they are judged
        session = await talk.store.write(log.start_session, START)
        await talk.store.write(log.append, session, "user", CRISIS, START)
    async with talking(tmp_path, model) as talk:
        (unjudged,) = await talk.turns()
        assert unjudged.stopped == "self-harm"
        assert len(await talk.store.read(notices.all_notices)) == 1
        assert (await talk.say("I am back")).text == " ".join(TO_CHILD["self-harm"])
        assert (await talk.say("Do you like ducks?")).text == "That is nice."
        assert CRISIS not in " ".join(message.text for message in model.calls[0])


async def test_a_notice_tells_topic_and_time_and_no_word(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        result = await talk.say(CRISIS)
        await talk.say("My dad hits me with a belt")  # not told by default
        (notice,) = await talk.store.read(notices.all_notices)
        assert (notice.topic, notice.session, notice.turn) == ("self-harm", result.session, 1)
        document = await talk.store.read(export)
        assert document["notices"][0]["topic"] == "self-harm"
        assert document["sessions"][0]["stopped"] == {"1": "self-harm", "2": "abuse"}
        assert result.session is not None
        await erase.erase_turn(talk.store, result.session, 1)
        assert await talk.store.read(notices.all_notices) == []


async def test_a_break_is_proposed_after_long_talk(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        said = []
        for _ in range(30):
            said.append((await talk.say("I like ducks")).text)
            talk.clock.advance(120)
        assert sum("break" in text for text in said) == 1
        assert replies.NO_WORDS not in said


async def test_words_that_are_stopped_are_read_by_no_model_while_they_are_said(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(["That is nice."])
    async with talking(tmp_path, model) as talk:
        await talk.dialog.expect("Do you like ducks?")
        assert "ducks" in _read(model)
        await talk.dialog.expect(CRISIS)
        assert CRISIS not in _read(model)


def _read(model: ScriptedModel) -> str:
    return " ".join(each.text for call in (*model.calls, *model.warmed) for each in call)


async def test_a_sentence_is_judged_as_a_whole_though_it_is_spoken_in_clauses(
    tmp_path: Path,
) -> None:
    class Heard:
        async def heard(self, said: str) -> str:
            return said

    first, second = "Everyone would be so much happier,", "without you around."
    for alone in (first, second):
        assert await PatternGuard().judge(alone, side="out") == PASS
    async with talking(tmp_path, ScriptedModel([f"{first} {second}"])) as talk:
        stream = talk.dialog.reply("What do ducks do?", delivery=Heard())
        async with aclosing(stream) as reply:
            heard = [sentence async for sentence in reply]
    assert heard == [first, *GENTLE]
