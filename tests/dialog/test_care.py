"""Where the guard is in doubt: a calm sentence in place of the model's, and attention after it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from companion.config import SafetySection
from companion.dialog.attention import TURNS
from companion.dialog.gate import EXCHANGES
from companion.safety.replies import TO_CHILD, care, caring, stop
from companion.safety.verdict import PASS, Side, Topic, Verdict
from companion.store import log, memories, notices, pending, turn_index
from companion.store.export import export
from tests.dialog.talk import START, talking
from tests.fakes import ScriptedModel

HINT = "hint: I don't like going home"
NEAR = "near: he was there again"


class Doubtful:
    """Cares about hints, and would stop those that come near when it is attentive."""

    def __init__(self, topic: Topic = "strangers", *, vague: bool = False) -> None:
        self._topic = topic
        self._vague = vague

    async def judge(self, text: str, *, side: Side) -> Verdict:
        if side == "in" and text.startswith(("hint", "near")):
            topic: Topic = "self-harm" if "of another topic" in text else self._topic
            return care(topic, "meaning", near_stop=text.startswith("near"), vague=self._vague)
        return PASS


async def test_a_calm_sentence_is_said_in_place_of_the_model(tmp_path: Path) -> None:
    model = ScriptedModel(["That is nice."])
    async with talking(tmp_path, model, guard=Doubtful()) as talk:
        result = await talk.say(HINT)
        assert (result.text, result.by) == (" ".join(caring("strangers", 0)), "guard")
        assert model.calls == []
        again = await talk.say(HINT)
        assert again.text == " ".join(caring("strangers", 1)) != result.text


@pytest.mark.parametrize("mode", ["words", "turns"])
async def test_what_was_cared_about_is_no_fact_and_no_gossip(
    tmp_path: Path, mode: Literal["words", "turns"]
) -> None:
    model = ScriptedModel(["none"])
    async with talking(tmp_path, model, guard=Doubtful()) as talk:
        await talk.say(HINT)
        await talk.say("Do you like ducks?")
        assert "going home" not in " ".join(message.text for message in model.calls[0])
        assert [turn.stopped for turn in await talk.turns()] == ["worry", None]
        assert await talk.store.read(turn_index.search_turns, "going home", 5) == []
        await talk.consolidate(mode)
        assert await talk.store.read(memories.list_memories, "active") == []
        assert await talk.store.read(pending.unfinished) == []
        assert all("going home" not in m.text for call in model.calls for m in call)


async def test_parents_are_told_of_a_worry_and_not_of_its_topic(tmp_path: Path) -> None:
    async with talking(tmp_path, guard=Doubtful()) as talk:
        await talk.say(HINT)
        (notice,) = await talk.store.read(notices.all_notices)
        assert (notice.topic, notice.turn) == ("worry", 1)
        document = await talk.store.read(export)
        assert document["sessions"][0]["stopped"] == {"1": "worry"}


async def test_parents_are_told_of_no_worry_if_it_is_off_or_about_abuse(tmp_path: Path) -> None:
    off = SafetySection(worries=False)
    async with talking(tmp_path / "off", guard=Doubtful(), safety=off) as talk:
        await talk.say(HINT)
        assert await talk.store.read(notices.all_notices) == []
    async with talking(tmp_path / "abuse", guard=Doubtful("abuse")) as talk:
        await talk.say(HINT)
        assert await talk.store.read(notices.all_notices) == []


async def test_the_next_turns_are_judged_with_attention(tmp_path: Path) -> None:
    async with talking(tmp_path, guard=Doubtful("abuse")) as talk:
        assert (await talk.say(NEAR)).text == " ".join(caring("abuse", 0))
        for _ in range(TURNS - 1):
            assert (await talk.say("yes")).text == "That is nice."
        assert (await talk.say(NEAR)).text == " ".join(TO_CHILD["abuse"])
        assert [turn.stopped for turn in await talk.turns()][-1] == "abuse"


async def test_attention_is_for_the_topic_that_began_it(tmp_path: Path) -> None:
    async with talking(tmp_path, guard=Doubtful("abuse")) as talk:
        await talk.say(NEAR)
        other = await talk.say("near, of another topic: it is all too much")
        assert other.text == " ".join(caring("self-harm", 1))


async def test_a_doubt_without_a_topic_begins_no_attention(tmp_path: Path) -> None:
    async with talking(tmp_path, guard=Doubtful("abuse", vague=True)) as talk:
        for times in range(3):
            assert (await talk.say(NEAR)).text == " ".join(caring("abuse", times, vague=True))


async def test_a_question_is_not_thanked_for(tmp_path: Path) -> None:
    async with talking(tmp_path, guard=Doubtful("abuse", vague=True)) as talk:
        said = {(await talk.say(f"{NEAR} who can let me in?")).text for _ in range(4)}
    asked = [" ".join(caring("abuse", times, vague=True, asked=True)) for times in range(4)]
    assert said == set(asked)
    assert not said & {" ".join(caring("abuse", times, vague=True)) for times in range(3)}


async def test_in_a_game_what_sounds_grave_is_asked_about(tmp_path: Path) -> None:
    class Alarmed:
        async def judge(self, text: str, *, side: Side) -> Verdict:
            grave = side == "in" and "sinking" in text
            return stop("emergency", side, "meaning") if grave else PASS

    async with talking(tmp_path, guard=Alarmed()) as talk:
        assert (await talk.say("we are sinking")).text != " ".join(caring("emergency", 0))
    async with talking(tmp_path / "play", guard=Alarmed()) as talk:
        await talk.say("Let's play pirates!")
        assert (await talk.say("we are sinking")).text == " ".join(caring("emergency", 0))
        for _ in range(EXCHANGES):
            await talk.say("What is two and two?")
        assert "sinking" not in (await talk.say("my brother says we are sinking")).text
        assert [turn.stopped for turn in await talk.turns()][-1] == "emergency"


async def test_attention_fades_and_ends_with_the_session(tmp_path: Path) -> None:
    async with talking(tmp_path, guard=Doubtful("abuse")) as talk:
        await talk.say(NEAR)
        for _ in range(TURNS):
            await talk.say("yes")
        assert (await talk.say(NEAR)).text == " ".join(caring("abuse", 1))
        await talk.dialog.close()
        assert (await talk.say(NEAR)).text == " ".join(caring("abuse", 2))


async def test_a_worry_that_a_power_cut_left_unanswered_is_marked(tmp_path: Path) -> None:
    model = ScriptedModel(["That is nice."])
    async with talking(tmp_path) as talk:
        session = await talk.store.write(log.start_session, START, None)
        await talk.store.write(log.append, session, "user", HINT, START)
    async with talking(tmp_path, model, guard=Doubtful()) as talk:
        assert [turn.stopped for turn in await talk.turns()] == ["worry"]
        assert (await talk.say("Do you like ducks?")).text == "That is nice."
        assert "going home" not in " ".join(message.text for message in model.calls[0])
