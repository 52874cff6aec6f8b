"""May I eat that? What somebody cannot eat is not left to a small model."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest

from companion.dialog.eating import answer, told
from companion.dialog.replies import ASK_A_GROWN_UP
from companion.language.en.dietary import asks_leave
from companion.records import Memory, Source
from companion.store import memories
from tests.dialog.talk import talking
from tests.fakes import ScriptedModel

NOW = datetime(2026, 10, 7, 16, tzinfo=timezone.utc)
NO_MILK = ("The user can't drink milk.", "I can't drink milk, it gives me a tummy ache.")
NO_NUTS = ("The user is allergic to peanuts.", "I'm allergic to peanuts,")


def memory(id: int, text: str, quote: str) -> Memory:
    return Memory(
        id=id, text=text, kind="profile", created=NOW, last_used=NOW, strength=1, retention=1,
        event_time=None, pinned=False, status="active", superseded_by=None,
        sources=(Source("s", 1, quote),),
    )  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "Can I have a milkshake?",
        "I'm hungry, may I eat this?",
        "Can I please try some of your chocolate cake?",
        "Is it okay if I drink the juice?",
        "can we bake cookies",
    ],
)
def test_who_asks_to_eat_is_heard(words: str) -> None:
    assert asks_leave(words)


@pytest.mark.parametrize(
    "words",
    [
        "Can I have a dog?",
        "What can whales eat?",
        "I had a milkshake.",
        "Can I go to the zoo?",
        "Do you like pancakes?",
        "I can swim. Do you eat fish?",
    ],
)
def test_other_questions_are_left_alone(words: str) -> None:
    assert not asks_leave(words)


def test_what_was_told_is_said_back_what_fits_first() -> None:
    known = told([memory(2, *NO_NUTS), memory(1, *NO_MILK)], [])
    milk = "You told me: you can't drink milk, it gives you a tummy ache."
    assert answer("Can I have a milkshake?", known) == [milk, ASK_A_GROWN_UP]
    nuts = "You told me: you're allergic to peanuts."
    assert answer("Can I eat a sandwich?", known) == [nuts, ASK_A_GROWN_UP]
    asthma = memory(3, "The user has asthma.", "I have asthma.")
    assert answer("Can I eat an apple?", told([asthma], [])) == []


async def test_the_model_is_not_asked(tmp_path: Path) -> None:
    model = ScriptedModel(["Sure, you can have a milkshake."])
    async with talking(tmp_path, model) as talk:
        assert (await talk.say("Can I have a milkshake?")).text.startswith("Sure")
        text, quote = NO_MILK
        await talk.store.write(
            memories.add, text, kind="profile", sources=[Source("s", 1, quote)], vector=None,
            embedder="e", now=NOW,
        )  # fmt: skip
        calls = len(model.calls)
        said = (await talk.say("Can I have a milkshake?")).text
        assert said.startswith("You told me: you can't drink milk, it gives you a tummy ache.")
        assert said.endswith(ASK_A_GROWN_UP)
        assert len(model.calls) == calls


def test_only_what_the_person_cannot_eat_counts_with_or_without_a_day() -> None:
    brothers = memory(1, "The user's brother is allergic to nuts.", "My brother's allergic to nuts")
    gone = memory(2, "The user is not allergic to nuts any more.", "I'm not allergic any more")
    assert told([brothers, gone], []) == []
    dated = replace(memory(3, *NO_NUTS), event_time="2026-10-01")
    assert told([dated], []) == [NO_NUTS[1]]


async def test_what_was_told_in_a_talk_that_no_night_has_gone_over_counts(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["I see."])) as talk:
        await talk.say("I am allergic to eggs.")
        await talk.dialog.close()
        assert (await talk.say("Can I have an egg?")).text.endswith(ASK_A_GROWN_UP)


async def test_an_allergy_that_bears_a_date_is_found(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["Sure."])) as talk:
        await talk.store.write(
            memories.add, NO_NUTS[0], kind="profile", sources=[Source("s", 1, NO_NUTS[1])],
            vector=None, embedder="e", now=NOW, event_time="2026-10-01",
        )  # fmt: skip
        assert (await talk.say("Can I eat a cookie?")).text.endswith(ASK_A_GROWN_UP)


async def test_what_was_told_a_moment_ago_counts_and_questions_do_not(tmp_path: Path) -> None:
    model = ScriptedModel(["I see."])
    async with talking(tmp_path, model) as talk:
        await talk.say("Am I allergic to eggs? My brother can't drink milk.")
        assert (await talk.say("Can I have an egg?")).text == "I see."
        await talk.say("Well, I'm allergic to eggs!")
        said = (await talk.say("Can I have an egg?")).text
        assert said == f"You told me: well, you're allergic to eggs. {ASK_A_GROWN_UP}"
