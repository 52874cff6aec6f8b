"""What a parent has told outlives every night, whatever the child says; the parent is asked."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.config import ConsolidationSection, StoreSection
from companion.records import Source
from companion.store import corrections, memories, profile, questions
from companion.store.database import Store
from companion.store.questions import Question
from tests.consolidation.conftest import START, World

WORDS = ConsolidationSection(mode="words")
TURNS = ConsolidationSection(mode="turns")


@pytest.fixture(params=[WORDS, TURNS], ids=["words", "turns"])
def section(request: pytest.FixtureRequest) -> ConsolidationSection:
    chosen: ConsolidationSection = request.param
    return chosen


async def told(world: World, said: str, right: str, section: ConsolidationSection) -> int:
    """A parent puts right what the child said; the new memory's id."""
    await world.talk("first", said, "Oh, nice!")
    await world.night(section=section)
    [memory] = await world.remembered()
    world.clock.advance(3600)
    return await world.store.write(
        corrections.correct, memory.id, right, world.clock.wall(), event_time=None
    )


async def asked(world: World) -> list[Question]:
    return await world.store.read(questions.open_questions)


async def later(world: World, session: str, said: str, section: ConsolidationSection) -> None:
    world.clock.advance(86_400)
    await world.talk(session, said, "I see.")
    await world.night(section=section)


DOG = ("My dog is called Bruno and he is brown.", "The dog is called Bruna and she is brown.")


@pytest.mark.parametrize(
    "said",
    [
        "My dog is called Bruno and he is brown.",
        "Bruno is my dog and he is brown.",
        "My dog is called Benno and he is brown.",
    ],
)
async def test_newer_words_of_the_child_become_a_question(
    world: World, said: str, section: ConsolidationSection
) -> None:
    id = await told(world, *DOG, section)
    for day in range(3):
        await later(world, f"day {day}", said, section)
    assert DOG[1] in await world.texts()
    assert not any("Bruno" in text or "Benno" in text for text in await world.texts())
    [question] = await asked(world)
    assert (question.memory, question.source.session) == (id, "day 0")


async def test_who_says_the_same_as_the_parent_is_no_question(
    world: World, section: ConsolidationSection
) -> None:
    id = await told(world, *DOG, section)
    await later(world, "then", "My dog is called Bruna and she is brown.", section)
    assert await asked(world) == []
    kept = await world.store.read(memories.get, id)
    assert kept is not None
    assert kept.status == "active"


async def test_other_things_are_learnt_as_ever(world: World, section: ConsolidationSection) -> None:
    await told(world, *DOG, section)
    await later(world, "then", "My cat is called Minka and she sleeps on my bed.", section)
    assert await asked(world) == []
    assert any("Minka" in text for text in await world.texts())


async def test_a_number_that_a_parent_put_right(
    world: World, section: ConsolidationSection
) -> None:
    said = "My sister Ada has 4 rabbits and they live in the garden."
    await told(world, said, "Ada has 3 rabbits.", section)
    await later(world, "then", said, section)
    assert await world.texts() == ["Ada has 3 rabbits."]
    assert len(await asked(world)) == 1


async def test_a_correction_keeps_what_was_known_of_the_memory(world: World) -> None:
    await world.talk("first", "My dog is called Bruno and he is brown.", "Nice!")
    await world.night(section=WORDS)
    [old] = await world.remembered()
    await world.store.write(memories.touch, [old.id], world.clock.wall())
    await world.store.write(memories.pin, old.id, True)
    id = await world.store.write(
        corrections.correct, old.id, DOG[1], world.clock.wall(), event_time=None
    )
    new = await world.store.read(memories.get, id)
    assert new is not None
    assert (new.told_by_parent, new.text) == (True, DOG[1])
    assert (new.sources, new.kind, new.created) == (old.sources, old.kind, old.created)
    assert (new.strength, new.pinned) == (2, True)
    [note] = (await world.store.read(corrections.of_memories, [id, old.id])).values()
    assert (note.memory, note.before, note.before_text) == (id, old.id, old.text)


async def test_what_was_put_right_is_known_for_as_long_as_the_correction(world: World) -> None:
    id = await told(world, *DOG, WORDS)
    await world.store.write(memories.pin, id, True)
    for _ in range(20):  # lived time moves by a week at most
        world.clock.advance(timedelta(days=7).total_seconds())
        await world.night(section=WORDS)
    assert await world.texts() == [DOG[1]]
    assert len(await world.store.read(memories.list_memories, "superseded")) == 1


async def test_corrected_again_the_question_is_answered(world: World) -> None:
    id = await told(world, *DOG, WORDS)
    await later(world, "then", DOG[0], WORDS)
    assert len(await asked(world)) == 1
    now = world.clock.wall()
    new = await world.store.write(
        corrections.correct, id, "The dog is called Brunella.", now, event_time=None
    )
    assert await asked(world) == []
    await later(world, "after", "My dog is called Bruno and he is brown.", WORDS)
    assert await world.texts() == ["The dog is called Brunella."]
    assert await world.store.read(corrections.told_in_place_of, id) == new


# ---- name, age and gender


async def test_a_night_does_not_overrule_who_a_parent_says_it_is(
    world: World, section: ConsolidationSection
) -> None:
    now = world.clock.wall()
    await world.store.write(profile.note, "age", "8", None, now)
    await later(world, "then", "I am nine years old. My dog likes me.", section)
    assert (await world.store.read(profile.current)).age == 8
    [question] = await asked(world)
    assert (question.item, question.text) == ("age", "9")
    await later(world, "again", "I'm nine!", section)
    assert len(await asked(world)) == 1


async def test_a_parent_confirms_what_the_child_said(tmp_path: Path) -> None:
    clock = ManualClock(START)
    store = await Store.open(tmp_path, StoreSection(encrypt=False), clock)
    try:
        await store.write(profile.note, "name", "Mia", Source("s", 1, "I'm Mia"), START)
        assert not await store.read(profile.told_by_parent, "name")
        await store.write(profile.note, "name", "Mia", None, START)
        assert await store.read(profile.told_by_parent, "name")
        await store.write(profile.note, "name", "Batman", Source("s", 2, "I'm Batman"), START)
        assert (await store.read(profile.current)).name == "Mia"
    finally:
        await store.close()
