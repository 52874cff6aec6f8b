"""A slip that is put right after the companion's answer is kept once, as it was meant."""

from __future__ import annotations

import pytest

from companion.config import ConsolidationSection
from companion.store import memories, profile
from tests.consolidation.conftest import World

SAID = "we are going to the lighthouse on saturday"


WORDS = ConsolidationSection(mode="words", personality=False)
TURNS = ConsolidationSection(mode="turns")


@pytest.mark.parametrize("section", [WORDS, TURNS])
async def test_a_day_put_right_in_the_next_message(
    world: World, section: ConsolidationSection
) -> None:
    await world.talk("day-1", SAID, "A lighthouse, how exciting!", "no i mean sunday", "Ah.")
    await world.night(["none"], section)
    [kept] = await world.remembered()
    assert kept.text == f'The user said: "{SAID} … no i mean sunday"'
    assert kept.event_time == "2026-10-11"
    [source] = kept.sources
    assert (source.turn, source.quote) == (1, SAID)


async def test_what_is_put_right_is_put_right_in_a_later_talk_too(world: World) -> None:
    await world.talk("day-1", SAID, "Oh!", "no i mean sunday", "Ah.")
    await world.night(["none"])
    await world.talk("day-2", "The lighthouse is on Monday now.", "I see.")
    await world.night(["none"])
    [now] = await world.remembered()
    assert "Monday" in now.text
    [old] = await world.store.read(memories.list_memories, "superseded")
    assert old.superseded_by == now.id


async def test_an_answer_to_a_question_puts_nothing_right(world: World) -> None:
    await world.talk("day-1", SAID, "And when do you come back?", "no, sunday", "Ah.")
    await world.night(["none"])
    assert [each.event_time for each in await world.remembered()][:1] == ["2026-10-10"]


async def test_an_age_put_right_is_known(world: World) -> None:
    await world.talk("day-1", "i am six years old", "Six!", "no i'm seven", "Ah.")
    await world.night(["none"])
    assert (await world.store.read(profile.current)).age == 7


async def test_what_is_told_next_is_not_shown_with_the_slip(world: World) -> None:
    talk = [SAID, "Oh!", "no i mean sunday", "Ah.", "it is in Devon", "Where?"]
    await world.talk("day-1", *talk, "by the old mill, grandpa drives us", "Nice.")
    await world.night(["none"])
    assert not [each for each in await world.texts() if each.startswith('The user said: "no i')]
