"""What somebody must not have, touch or do is noted at once, said back, and not left to a model."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from companion.dialog.replies import (
    ASK_A_GROWN_UP,
    TAKEN_BACK,
    health_memory,
    is_that_right,
)
from companion.engines.protocols import Embedder
from companion.errors import EngineError
from companion.records import Source
from companion.safety.replies import care
from companion.safety.verdict import PASS, Side, Verdict
from companion.store import corrections, memories, profile
from tests.dialog.talk import Talk, talking
from tests.fakes import HashEmbedder, ScriptedModel

YES = "Sure, you can!"


async def health_of(talk: Talk) -> list[str]:
    return [each.text for each in await talk.store.read(memories.for_good)]


@pytest.mark.parametrize(
    ("told", "said_back", "later"),
    [
        ("I'm allergic to mango", "You can't have mango", "can I have a lassi"),
        ("sesame makes my lips go fat", "You can't have sesame", "I'm eating hummus"),
        ("balloons bring me out in a rash", "You can't touch latex", "I'm blowing up balloons"),
        ("cats make me wheeze and itch", "You can't be near cats", "can I hold the kitten"),
        ("no swimming for me I've got grommets", "You have to be careful with swimming",
         "I'm going to dive in the pool"),
        ("He's severely allergic to cashews.", "So no cashews", "mum made a korma, I'm trying it"),
    ],
)  # fmt: skip
async def test_what_is_told_is_said_back_once_and_then_guards(
    tmp_path: Path, embedder: Embedder, told: str, said_back: str, later: str
) -> None:
    model = ScriptedModel([YES])
    async with talking(tmp_path, model, embedder=embedder) as talk:
        assert (await talk.say(later)).text == YES
        assert (await talk.say(told)).text == f"{said_back}, is that right?"
        assert await health_of(talk) == [f"Health: “{told}”"]
        assert (await talk.say("yes")).text == YES
        calls = len(model.calls)
        reply = (await talk.say(later)).text
        assert reply.startswith("You told me: ")
        assert "ask a grown-up" in reply
        assert len(model.calls) == calls, "no model is asked"
        assert (await talk.say("tell me a story about a dragon")).text == YES
        again = (await talk.say(told)).text
        assert "is that right?" not in again


async def test_who_asks_what_does_them_harm_is_told_all_of_it_and_nothing_of_others(
    tmp_path: Path, embedder: Embedder
) -> None:
    """A 1.5B read seven of nine such answers wrongly out of its notes."""
    model = ScriptedModel([YES])
    async with talking(tmp_path, model, embedder=embedder) as talk:
        asked = "someone's giving me a biscuit, what must not be in it?"
        assert "You told me" not in (await talk.say(asked)).text
        await talk.say("sesame makes my lips go fat")
        await talk.say("I'm allergic to penicillin")
        await talk.say("my brother is allergic to peanuts and carries a pen")
        calls = len(model.calls)
        reply = (await talk.say(asked)).text
        assert "sesame makes your lips go fat" in reply
        assert "peanuts" not in reply
        assert len(model.calls) == calls, "no model is asked"


async def test_a_no_takes_it_back_and_more_than_a_no_does_not(
    tmp_path: Path, embedder: Embedder
) -> None:
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        await talk.say("I'm allergic to nuts")
        await talk.say("no I still can't have them")
        assert len(await health_of(talk)) == 1
        await talk.say("I'm allergic to eggs")
        assert (await talk.say("nope that's wrong")).text == TAKEN_BACK
        assert await health_of(talk) == ["Health: “I'm allergic to nuts”"]
        assert (await talk.say("no")).text == YES
        assert len(await health_of(talk)) == 1, "only the answer to the question counts"


async def test_what_was_taken_back_does_not_return_from_the_log(
    tmp_path: Path, embedder: Embedder
) -> None:
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        await talk.say("I can't eat eggs")
        await talk.say("no")
        assert (await talk.say("can I have a meringue")).text == YES


async def test_anothers_allergy_is_kept_and_not_asked_about(
    tmp_path: Path, embedder: Embedder
) -> None:
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        told = "my brother is allergic to peanuts and carries a pen"
        assert (await talk.say(told)).text == YES
        assert await health_of(talk) == [f"Health of somebody else: “{told}”"]


async def test_of_anothers_one_is_reminded_where_they_are_named(
    tmp_path: Path, embedder: Embedder
) -> None:
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        await talk.say("my brother is allergic to peanuts and carries a pen")
        assert (await talk.say("I'm eating a peanut butter sandwich")).text == YES
        reply = (await talk.say("I'm giving my brother a peanut butter sandwich")).text
        assert reply.startswith("You told me: your brother is allergic to peanuts")


@pytest.mark.parametrize(
    ("told", "reminds"),
    [
        ("She carries two EpiPens for tree nuts.", True),
        ("My cousin Ola carries two EpiPens for tree nuts.", False),
    ],
)
async def test_what_names_nobody_counts_as_the_persons_own(
    tmp_path: Path, embedder: Embedder, told: str, reminds: bool
) -> None:
    """The classifier takes one own telling in thirty, of parents mostly, for somebody else's."""
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        await talk.store.write(
            memories.add, health_memory(told, own=False), kind="health",
            sources=[Source("s", 1, told)], vector=None, embedder="e", now=talk.clock.wall(),
        )  # fmt: skip
        reply = (await talk.say("I'm eating a walnut cake")).text
        assert reply.startswith("You told me: ") == reminds


async def test_what_is_told_stands_first_in_the_profile(tmp_path: Path, embedder: Embedder) -> None:
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        await talk.store.write(
            memories.add, "The user's birthday is on 3 June.", kind="profile",
            sources=[Source("s", 1, "my birthday is on the third of June")], vector=None,
            embedder="e", now=talk.clock.wall(),
        )  # fmt: skip
        await talk.say("I've got coeliac disease")
        known = await talk.store.read(profile.current)
        assert known.facts[0] == "Health: “I've got coeliac disease”"


async def test_an_allergy_told_in_what_a_guard_stopped_is_kept(
    tmp_path: Path, embedder: Embedder
) -> None:
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        told = "help I can't breathe, it's the prawns, I'm allergic"
        reply = (await talk.say(told)).text
        assert "is that right?" not in reply
        assert reply != YES, "the reply to an emergency"
        assert len(await health_of(talk)) == 1


class Vague:
    """Cares about everything, and does not know why."""

    async def judge(self, text: str, *, side: Side) -> Verdict:
        return care("abuse", "meaning", near_stop=False, vague=True) if side == "in" else PASS


async def test_an_allergy_told_in_what_a_guard_only_doubted_is_kept(
    tmp_path: Path, embedder: Embedder
) -> None:
    async with talking(tmp_path, embedder=embedder, guard=Vague()) as talk:
        await talk.say("i cant eat walnuts they make my lips big")
        await talk.say("nobody likes my drawing")
        assert len(await health_of(talk)) == 1


@pytest.mark.parametrize(
    "asked",
    ["what food makes my throat close up?", "it's a party. what must I not eat, it'd swell me up?"],
)
async def test_who_asks_what_does_harm_is_told_it_though_the_guard_hesitates(
    tmp_path: Path, embedder: Embedder, asked: str
) -> None:
    async with talking(tmp_path, embedder=embedder, guard=Vague()) as talk:
        await talk.say("i cant eat walnuts they make my lips big")
        said = (await talk.say(asked)).text
        assert said.endswith(" You told me: you cant eat walnuts they make your lips big.")
        assert len(await health_of(talk)) == 1


@pytest.mark.parametrize(
    "hint",
    [
        "does it hurt when you go to sleep and dont wake up again?",
        "how long does it take till a purple hand mark goes away?",
        "why does my tummy hurt when he tickles me?",
        "what is my school called?",
    ],
)
async def test_who_asks_something_else_is_not_told_of_allergies(
    tmp_path: Path, embedder: Embedder, hint: str
) -> None:
    async with talking(tmp_path, embedder=embedder, guard=Vague()) as talk:
        await talk.say("i cant eat walnuts they make my lips big")
        assert "walnuts" not in (await talk.say(hint)).text


class Broken(HashEmbedder):
    async def embed(self, texts: object) -> object:  # type: ignore[override]
        raise EngineError("gone")


@pytest.mark.parametrize("embedder_kind", [HashEmbedder, Broken])
async def test_without_the_right_embedder_the_tables_decide(
    tmp_path: Path, embedder_kind: type[HashEmbedder]
) -> None:
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder_kind()) as talk:
        assert (await talk.say("I am allergic to eggs.")).text.endswith("is that right?")
        await talk.dialog.close()
        assert (await talk.say("Can I have a meringue?")).text.endswith(ASK_A_GROWN_UP)
        assert (await talk.say("What colour is the sky?")).text == YES


async def test_without_the_network_the_tables_decide_what_is_surely_eaten(
    tmp_path: Path, embedder: Embedder
) -> None:
    """The regression alone would let it pass."""
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        await talk.say("I'm allergic to peas")
        assert (await talk.say("do i have to eat my peas")).text.startswith("You told me: ")


async def test_nothing_is_noted_outside_a_session(tmp_path: Path, embedder: Embedder) -> None:
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        assert (await talk.say("I'm allergic to mango", keep=False)).text == YES
        assert await health_of(talk) == []


async def test_a_question_to_memory_that_names_none_of_it_is_left_to_recall(
    tmp_path: Path, embedder: Embedder
) -> None:
    model = ScriptedModel([YES])
    async with talking(tmp_path, model, embedder=embedder) as talk:
        await talk.say("Tomasz is allergic to cats, he sits next to me.")
        assert (await talk.say("What's Tomasz got for a pet?")).by != "health"
        assert (await talk.say("Tomasz is coming to stroke our cat.")).by == "health"
        await talk.say("I'm allergic to peanuts")
        assert (await talk.say("what did I say about me and peanut butter?")).by == "health"


async def test_a_memory_of_an_older_version_counts(tmp_path: Path, embedder: Embedder) -> None:
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        quote = "I can't drink milk, it gives me a tummy ache."
        await talk.store.write(
            memories.add, "The user can't drink milk.", kind="profile",
            sources=[Source("s", 1, quote)], vector=None, embedder="e", now=talk.clock.wall(),
            event_time="2026-05-01",
        )  # fmt: skip
        said = (await talk.say("Can I have a milkshake?")).text
        milk = "You told me: you can't drink milk, it gives you a tummy ache."
        assert said == f"{milk} {ASK_A_GROWN_UP}"


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("I've got asthma", "You told me: you've got asthma, is that right?"),
        ("nuts and eggs make me ill", "You can't have nuts and eggs, is that right?"),
        ("No whole grapes for Jonah please.", "So no grapes, is that right?"),
    ],
)
def test_it_is_said_back_by_its_name(said: str, back: str) -> None:
    assert is_that_right(said) == back


async def test_what_a_parent_puts_right_guards_at_once(tmp_path: Path, embedder: Embedder) -> None:
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        await talk.say("I'm allergic to peanuts")
        await talk.say("yes")
        assert "ask a grown-up" in (await talk.say("can I eat peanuts?")).text
        [memory] = await talk.store.read(memories.for_good)
        right = "Health: “I'm allergic to hazelnuts”"
        now = talk.clock.wall()
        await talk.store.write(corrections.correct, memory.id, right, now, event_time=None)
        reply = await talk.say("can I eat hazelnuts?")
        assert (reply.by, "hazelnuts" in reply.text) == ("health", True)
        assert (await talk.say("can I eat peanuts?")).by == "model"


@pytest.mark.parametrize(
    ("told", "said", "days", "reminds"),
    [
        ("my arm is broken so no climbing", "i'm going on the monkey bars", 30, True),
        ("my arm is broken so no climbing", "i'm going on the monkey bars", 400, False),
        ("I'm allergic to mango", "can I have a mango lassi", 400, True),
    ],
)
async def test_a_broken_arm_heals_and_an_allergy_stays(
    tmp_path: Path, embedder: Embedder, told: str, said: str, days: int, reminds: bool
) -> None:
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        await talk.store.write(
            memories.add, health_memory(told, own=True), kind="health",
            sources=[Source("s", 1, told)], vector=None, embedder="e",
            now=talk.clock.wall() - timedelta(days=days),
        )  # fmt: skip
        assert (await talk.say(said)).text.startswith("You told me: ") == reminds


@pytest.mark.parametrize(("name", "own"), [("Wyatt", True), ("Ola", False)])
async def test_a_parent_who_names_the_child_tells_of_it(
    tmp_path: Path, embedder: Embedder, name: str, own: bool
) -> None:
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        source = Source("s", 1, f"my name is {name}")
        await talk.store.write(profile.note, "name", name, source, talk.clock.wall())
        await talk.dialog.forget()
        told = "Wyatt is allergic to cashews so no korma for him"
        assert ("is that right?" in (await talk.say(told)).text) == own
        assert await health_of(talk) == [health_memory(told, own=own)]


async def test_a_joke_is_no_allergy(tmp_path: Path, embedder: Embedder) -> None:
    """The tables alone would take it for one."""
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        await talk.say("sesame makes my lips go fat")
        await talk.say("i dont like homework im allergic to it")
        reply = (await talk.say("what must i not eat cause it makes me swell up?")).text
        assert "sesame" in reply
        assert "homework" not in reply


async def test_a_friend_is_known_in_small_letters(tmp_path: Path, embedder: Embedder) -> None:
    async with talking(tmp_path, ScriptedModel([YES]), embedder=embedder) as talk:
        await talk.say("my friend Jo is allergic to dogs")
        reply = (await talk.say("it's jo, and we will play with my dog")).text
        assert reply.startswith("You told me: your friend Jo is allergic to dogs")
