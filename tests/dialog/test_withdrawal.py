""" "Forget that": at once, and said so."""

from __future__ import annotations

from pathlib import Path

from companion.dialog.replies import FORGOTTEN, KEPT_FOR_HEALTH, WHAT_TO_FORGET
from companion.engines.protocols import Embedder
from companion.store import history, memories, notices
from tests.dialog.talk import talking
from tests.fakes import ScriptedModel


async def test_what_is_taken_back_is_in_no_log_and_no_later_prompt(tmp_path: Path) -> None:
    model = ScriptedModel(["Nice.", "Oh!", "What next?"])
    async with talking(tmp_path, model) as talk:
        await talk.say("I have a kite.")
        await talk.say("I like Otto.")
        result = await talk.say("Forget that, please.")
        assert result.text == "Okay, I have forgotten it."
        await talk.say("Shall we sing?")
        texts = [turn.user.text for turn in await talk.turns() if turn.user]
        assert texts == ["I have a kite.", "Shall we sing?"]
        shown = " ".join(message.text for message in model.calls[-1])
        assert "kite" in shown
        assert "Otto" not in shown
        assert "Forget that" not in shown
        (notice,) = await talk.store.read(notices.all_notices)
        assert notice.topic == "withdrawn"


async def test_what_was_said_before_in_the_same_message_goes_with_it(tmp_path: Path) -> None:
    model = ScriptedModel(["Nice.", "What next?"])
    async with talking(tmp_path, model) as talk:
        await talk.say("I have a kite.")
        await talk.say("I went to the shed and I cried on the mats. Forget that.")
        (turn, said) = await talk.turns()
        assert turn.user is not None
        assert said.user is None
        assert "kite" in turn.user.text


async def test_forgetting_as_a_topic_takes_nothing_back(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["Aha."])) as talk:
        result = await talk.say("I'll never forget that day by the sea.")
        assert result.text == "Aha."
        assert len(await talk.store.read(history.turns, result.session or "")) == 1


async def test_what_a_clause_names_goes_and_nothing_else(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["Oh.", "Nice."])) as talk:
        await talk.say("I hid Tilly's ruler in the piano.")
        await talk.say("We had pancakes.")
        await talk.say("forget that I hid the ruler")
        assert [turn.user.text for turn in await talk.turns() if turn.user] == ["We had pancakes."]


async def test_what_is_named_in_small_letters_goes(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["Oh.", "Nice."])) as talk:
        await talk.say("I don't like turnips.")
        await talk.say("We had pancakes.")
        result = await talk.say("forget what i said about turnips")
        assert result.text == FORGOTTEN
        assert [turn.user.text for turn in await talk.turns() if turn.user] == ["We had pancakes."]


async def test_what_is_beside_it_stays(tmp_path: Path, embedder: Embedder) -> None:
    async with talking(tmp_path, ScriptedModel(["Oh.", "Nice."]), embedder=embedder) as talk:
        await talk.say("we've got a tortoise")
        await talk.say("he's called Tank and he's older than my dad")
        await talk.say("i don't like turnips")
        await talk.say("forget what i said about turnips")
        texts = [turn.user.text for turn in await talk.turns() if turn.user]
    assert texts == ["we've got a tortoise", "he's called Tank and he's older than my dad"]


async def test_where_nothing_is_found_it_does_not_say_that_it_has_forgotten(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["Nice."])) as talk:
        await talk.say("We had pancakes.")
        assert (await talk.say("forget what i said about turnips")).text == WHAT_TO_FORGET


async def test_an_answer_that_repeats_it_goes_with_it(tmp_path: Path) -> None:
    model = ScriptedModel(["Oh.", "Tilly's ruler.", "In the evening.", "Hm."])
    async with talking(tmp_path, model) as talk:
        await talk.say("I hid Tilly's ruler in the piano.")
        await talk.say("What did I hide?")
        await talk.say("When do we eat?")
        await talk.say("forget that I hid the ruler")
        assert [turn.user.text for turn in await talk.turns() if turn.user] == ["When do we eat?"]
        await talk.say("What did I hide?")
    assert "ruler" not in " ".join(message.text for message in model.calls[-1])


async def test_a_clause_that_names_nothing_told_takes_only_itself_back(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["Nice."])) as talk:
        await talk.say("We had pancakes.")
        await talk.say("forget that I hid the ruler")
        assert [turn.user.text for turn in await talk.turns() if turn.user] == ["We had pancakes."]


async def test_an_allergy_is_not_forgotten_at_a_childs_word(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["Nice."])) as talk:
        await talk.say("I'm allergic to walnuts.")
        result = await talk.say("Forget that.")
        assert result.text == KEPT_FOR_HEALTH
        await talk.say("We had pancakes.")
        assert (await talk.say("forget that im allergic to walnuts")).text == KEPT_FOR_HEALTH
        (kept,) = await talk.store.read(memories.for_good)
        assert "walnuts" in kept.text
