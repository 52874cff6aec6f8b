"""Memories as the person's own words: the default, without a sentence of the model's."""

from __future__ import annotations

import pytest

from companion.config import ConsolidationSection
from companion.consolidation.report import Report
from tests.consolidation.conftest import World

WORDS = ConsolidationSection(mode="words", personality=False)


async def night(world: World) -> Report:
    return await world.night(section=WORDS)


async def test_what_is_told_is_kept_as_it_was_said_and_costs_no_model_call(world: World) -> None:
    await world.talk("day-1", "My rabbit is called Pepper and she has only three legs.", "Oh!")
    report = await night(world)
    assert await world.texts() == [
        'The user said: "My rabbit is called Pepper and she has only three legs."'
    ]
    assert report.model_calls == 0


async def test_an_answer_is_kept_with_its_question(world: World) -> None:
    await world.talk("day-1", "Hi!", "Who is Yusuf?", "My little brother. He's five.", "Nice.")
    await night(world)
    assert await world.texts() == [
        'Asked "Who is Yusuf?", the user said: "My little brother. He\'s five."'
    ]


@pytest.mark.parametrize(
    "said",
    ["Can you hear me now?", "Yeah it's good.", "Let's pretend I'm a pirate.", "Ha ha ha!", "Bye!"],
)
async def test_what_a_friend_would_not_keep_is_not_kept(world: World, said: str) -> None:
    await world.talk("day-1", said, "All right.")
    await night(world)
    assert await world.texts() == []


async def test_what_is_said_again_is_one_memory(world: World) -> None:
    await world.talk("day-1", "My rabbit is called Pepper.", "Oh!")
    await night(world)
    await world.talk("day-2", "My rabbit is called Pepper!", "I know.")
    report = await night(world)
    [memory] = await world.remembered()
    assert [source.session for source in memory.sources] == ["day-1", "day-2"]
    assert report.duplicates == 1


async def test_a_short_sentence_takes_the_place_of_one_that_it_denies_or_counts_anew(
    world: World,
) -> None:
    await world.talk("day-1", "I have 2 rabbits called Pepper and Salt.", "Two!")
    await night(world)
    await world.talk("day-2", "I have 3 rabbits called Pepper and Salt.", "Three!")
    report = await night(world)
    [memory] = await world.remembered()
    assert "3 rabbits" in memory.text
    assert report.replaced == 1


async def test_one_sentence_of_several_takes_no_place(world: World) -> None:
    await world.talk("day-1", "I have 2 rabbits. My gran lives in Leeds by the river.", "Two!")
    await night(world)
    await world.talk("day-2", "I have 3 rabbits.", "Three!")
    await night(world)
    assert any("Leeds" in text for text in await world.texts())


async def test_an_allergy_is_kept_whatever_else_is_said(world: World) -> None:
    await world.talk("day-1", "I'm allergic to nuts.", "I will remember.")
    await night(world)
    [memory] = await world.remembered()
    assert "allergic to nuts" in memory.text


async def test_what_is_put_right_at_once_is_kept_with_the_day_that_was_meant(world: World) -> None:
    await world.talk("day-1", "I have a football match on Saturday. No wait, on Sunday.", "Fun!")
    await night(world)
    [memory] = await world.remembered()
    assert "No wait, on Sunday" in memory.text
    assert memory.event_time == "2026-10-11"
