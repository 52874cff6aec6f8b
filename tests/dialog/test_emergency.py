"""An emergency over several turns: what to do, in order, until somebody says that help is there."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path

import pytest

from companion.config import SafetySection
from companion.dialog.emergency import LONG_AFTER_S, MOST_S, MOST_TURNS, MOST_UNSURE
from companion.safety import first_aid
from companion.safety.moved_on import MovedOn
from companion.safety.replies import TO_CHILD, stop
from companion.safety.verdict import PASS, Side, Verdict
from companion.store import log, notices
from tests.dialog.talk import START, talking
from tests.fakes import ScriptedModel
from tests.fakes_kinds import FixedKinds

WAKES_NOT = "my mum won't wake up"
NUMBER = "one one two"


def told(kind: str) -> str:
    return " ".join(first_aid.first(kind, "112"))


def following(kind: str, times: int) -> str:
    return " ".join(first_aid.following(kind, times, "112"))


class ByMeaning:
    """Takes every word of a bus for an emergency, as the classifier may."""

    async def judge(self, text: str, *, side: Side) -> Verdict:
        return stop("emergency", side, "meaning") if "bus" in text else PASS


async def test_the_reply_says_what_to_do_and_stays_until_help_is_there(tmp_path: Path) -> None:
    model = ScriptedModel(["That is nice."])
    async with talking(tmp_path, model) as talk:
        first = (await talk.say(WAKES_NOT)).text
        assert first == told("unresponsive")
        order = [first.index(step) for step in ("Shout", NUMBER, "Stay", "Open")]
        assert order == sorted(order)
        said = [(await talk.say(words)).text for words in ("I don't know", "she feels cold", "hm")]
        assert said == [following("unresponsive", times) for times in range(3)]
        alone = await talk.say("nobody is here")
        assert alone.text == " ".join(first_aid.after("alone", "112"))
        assert (await talk.say("I called them")).text == " ".join(first_aid.after("called", "112"))
        here = await talk.say("the ambulance is here")
        assert here.text == " ".join(first_aid.after("help_is_there", "112"))
        assert model.calls == []
        assert (await talk.say("Do you like ducks?")).text == "That is nice."
        assert {turn.stopped for turn in (await talk.turns())[:7]} == {"emergency"}
        assert len(await talk.store.read(notices.all_notices)) == 1
        assert "cold" not in " ".join(message.text for message in model.calls[0])


async def test_who_tells_what_always_does_them_harm_is_stayed_with_for_two_messages_only(
    tmp_path: Path,
) -> None:
    """ "Is a grown-up with you?" came ten times, to marbles and to a sister."""
    async with talking(tmp_path, ScriptedModel(["That is nice."])) as talk:
        told_of = "i cant have sesame my throat is closing from it"
        assert "Shout for a grown-up" in (await talk.say(told_of)).text
        for _ in range(MOST_UNSURE):
            assert (await talk.say("I have eleven marbles in a jar")).text != "That is nice."
        assert (await talk.say("I have eleven marbles in a jar")).text == "That is nice."


@pytest.mark.parametrize("words", ["i cant have nuts and i cant breathe", "my throat is closing"])
async def test_who_gets_no_air_is_stayed_with(tmp_path: Path, words: str) -> None:
    async with talking(tmp_path, ScriptedModel(["That is nice."])) as talk:
        await talk.say(words)
        for _ in range(MOST_UNSURE + 1):
            assert (await talk.say("I have eleven marbles in a jar")).text != "That is nice."


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("the kitchen is on fire", "fire"),
        ("my brother swallowed a battery", "poison"),
        ("my brother is choking", "breathing"),
        ("he is bleeding a lot", "bleeding"),
        ("boiling water spilled on me", "burns"),
        ("my friend was hit by a car", "other"),
    ],
)
async def test_each_kind_has_its_own_lines(tmp_path: Path, words: str, kind: str) -> None:
    async with talking(tmp_path) as talk:
        assert (await talk.say(words)).text == told(kind)


async def test_who_took_tablets_to_die_is_comforted_and_told_what_to_do(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        said = (await talk.say("I want to die and I took all the pills")).text
        assert said == f"{TO_CHILD['self-harm'][0]} {told('poison')}"
        assert (await talk.turns())[0].stopped == "self-harm"
        assert (await talk.say("I'm tired")).text == following("poison", 0)


async def test_who_only_wishes_to_die_hears_of_no_first_aid(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        assert (await talk.say("I want to be dead")).text == " ".join(TO_CHILD["self-harm"])
        assert (await talk.say("Do you like ducks?")).text == "That is nice."


async def test_the_number_is_that_of_the_region(tmp_path: Path) -> None:
    async with talking(tmp_path, safety=SafetySection(emergency_number="911")) as talk:
        assert "nine one one" in (await talk.say(WAKES_NOT)).text


async def test_the_one_in_danger_is_not_the_help_that_came(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.say(WAKES_NOT)
        assert (await talk.say("mum is here with me")).text == following("unresponsive", 0)
        assert (await talk.say("dad is here")).text.startswith("Good that somebody is there.")


async def test_what_was_no_emergency_is_taken_back(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.say(WAKES_NOT)
        taken = (await talk.say("it was only a game")).text
        assert taken == " ".join(first_aid.after("nothing_wrong", "112"))
        assert (await talk.say("Do you like ducks?")).text == "That is nice."


class ByWords(MovedOn):
    """Takes every word of marbles for another subject."""

    def __init__(self) -> None:
        super().__init__(FixedKinds({}))

    async def likely(self, told: str, since: Sequence[str]) -> float:
        return 0.9 if "marbles" in since[-1] or since[-1].startswith("no") else 0.1


ASKED = " ".join(first_aid.asking("112"))


async def test_a_talk_that_has_moved_on_is_no_emergency_any_more(tmp_path: Path) -> None:
    async with talking(tmp_path, moved_on=ByWords()) as talk:
        assert (await talk.say("the kitchen is on fire")).text == told("fire")
        assert (await talk.say("it's the toy kitchen")).text == following("fire", 0)
        assert (await talk.say("I have eleven marbles")).text == ASKED
        assert (await talk.say("and two more marbles")).text == "That is nice."
        stopped = [turn.stopped for turn in await talk.turns()]
    assert stopped == ["emergency", "emergency", "emergency", None]


async def test_one_message_about_something_else_is_not_the_end_of_it(tmp_path: Path) -> None:
    async with talking(tmp_path, moved_on=ByWords()) as talk:
        await talk.say("the kitchen is on fire")
        assert (await talk.say("I have eleven marbles")).text == ASKED
        assert (await talk.say("the flames are big")).text == following("fire", 0)
        assert (await talk.say("marbles")).text == ASKED


async def test_who_answers_that_not_all_is_well_is_stayed_with(tmp_path: Path) -> None:
    async with talking(tmp_path, moved_on=ByWords()) as talk:
        await talk.say("the kitchen is on fire")
        await talk.say("I have eleven marbles")
        alone = " ".join(first_aid.after("alone", "112"))
        assert (await talk.say("no")).text == alone
        assert (await talk.say("no, it was the toy kitchen, with marbles")).text == ASKED


async def test_what_the_guard_hears_again_is_not_over(tmp_path: Path) -> None:
    async with talking(tmp_path, moved_on=ByWords()) as talk:
        await talk.say("the kitchen is on fire")
        await talk.say("I have eleven marbles")
        assert (await talk.say("marbles, and the kitchen is on fire")).text == following("fire", 0)


async def test_who_is_not_hurt_and_does_not_wake_is_still_in_danger(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.say(WAKES_NOT)
        said = (await talk.say("she is not hurt but she won't wake up")).text
        assert said == following("unresponsive", 0)


async def test_an_emergency_can_turn_into_another(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.say("my brother is choking")
        assert (await talk.say("now he won't wake up")).text == told("unresponsive")
        assert (await talk.say("what now")).text == following("unresponsive", 0)


async def test_another_crisis_within_it_has_its_own_reply(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.say(WAKES_NOT)
        assert (await talk.say("my dad hits me with a belt")).text == " ".join(TO_CHILD["abuse"])
        assert (await talk.say("what now")).text == following("unresponsive", 0)


async def test_it_ends_after_so_many_turns(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.say(WAKES_NOT)
        said = [(await talk.say("la la la")).text for _ in range(MOST_TURNS + 1)]
        assert said[-2] != "That is nice."
        assert said[-1] == "That is nice."


async def test_where_only_the_classifier_heard_one_it_ends_sooner(tmp_path: Path) -> None:
    async with talking(tmp_path, guard=ByMeaning()) as talk:
        assert (await talk.say("the wheels on the bus")).text == told("other")
        said = [(await talk.say("la la la")).text for _ in range(MOST_UNSURE + 1)]
        assert said.index("That is nice.") == MOST_UNSURE


@pytest.mark.parametrize("words", ["it's only a little bit", "I'm fine", "I ate too much cake"])
async def test_where_only_the_classifier_heard_one_a_small_ache_ends_it(
    words: str, tmp_path: Path
) -> None:
    async with talking(tmp_path, guard=ByMeaning()) as talk:
        await talk.say("the wheels on the bus")
        assert (await talk.say(words)).text == " ".join(first_aid.after("nothing_wrong", "112"))
        assert (await talk.say("la la la")).text == "That is nice."


@pytest.mark.parametrize("words", ["I'm fine but she isn't moving", "it's only a little bit"])
async def test_a_sure_one_is_not_ended_by_who_is_fine(words: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.say(WAKES_NOT)
        assert (await talk.say(words)).text == following("unresponsive", 0)


@pytest.mark.parametrize(("waits", "goes_on"), [((60.0, 60.0), True), ((LONG_AFTER_S + 1,), False)])
async def test_long_after_it_is_about_something_else(
    tmp_path: Path, waits: tuple[float, ...], goes_on: bool
) -> None:
    async with talking(tmp_path) as talk:
        await talk.say(WAKES_NOT)
        for wait in waits:
            talk.clock.advance(wait)
            said = (await talk.say("Do you like ducks?")).text
        assert (said != "That is nice.") == goes_on


async def test_it_ends_after_so_long(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.say(WAKES_NOT)
        for _ in range(4):
            talk.clock.advance(MOST_S / 4)
            assert (await talk.say("la la la")).text != "That is nice."
        talk.clock.advance(1)
        assert (await talk.say("la la la")).text == "That is nice."


async def test_an_interrupted_reply_is_said_again_before_the_next_line(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        async with aclosing(talk.dialog.reply(WAKES_NOT)) as reply:
            await anext(reply)
            await reply.stop()
        pending = talk.dialog.pending_crisis_reply()
        assert pending is not None
        assert " ".join([sentence async for sentence in pending]) == told("unresponsive")
        async with aclosing(talk.dialog.reply("she won't wake up")) as reply:
            await anext(reply)
            await reply.stop()
        assert (await talk.say("mum mum mum")).text == following("unresponsive", 0)


async def test_the_same_words_over_an_interrupted_reply_repeat_it(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        async with aclosing(talk.dialog.reply(WAKES_NOT)) as reply:
            await anext(reply)
            await reply.stop()
        assert (await talk.say("she won't wake up")).text == told("unresponsive")
        assert (await talk.say("please")).text == following("unresponsive", 0)


async def test_an_emergency_that_a_power_cut_left_unanswered_is_taken_up(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        session = await talk.store.write(log.start_session, START, None)
        await talk.store.write(log.append, session, "user", WAKES_NOT, START)
    async with talking(tmp_path) as talk:
        assert (await talk.say("are you there")).text == told("unresponsive")
        assert (await talk.say("please")).text == following("unresponsive", 0)


async def test_after_a_restart_the_guard_judges_anew(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.say(WAKES_NOT)
    async with talking(tmp_path) as talk:
        assert (await talk.say("she still won't wake up")).text == told("unresponsive")


async def test_a_question_aside_begins_no_emergency(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        assert (await talk.say(WAKES_NOT, keep=False)).text == told("unresponsive")
        assert (await talk.say("Do you like ducks?")).text == "That is nice."


async def test_a_new_session_does_not_go_on_with_it(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.say(WAKES_NOT)
        await talk.dialog.close()
        assert (await talk.say("Do you like ducks?")).text == "That is nice."


async def test_nothing_is_read_ahead_while_it_runs(tmp_path: Path) -> None:
    model = ScriptedModel(["That is nice."])
    async with talking(tmp_path, model) as talk:
        await talk.dialog.expect("Do you like ducks?")
        before = len(model.warmed)
        assert before
        await talk.say(WAKES_NOT)
        await talk.dialog.expect("what now")
        assert len(model.warmed) == before
