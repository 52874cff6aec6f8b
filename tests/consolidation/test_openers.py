"""What the night writes for the first reply of another day."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from companion.consolidation.openers import WritingOpeners
from companion.records import Source
from companion.safety.pattern_guard import PatternGuard
from companion.store import erase, memories, openers, withdrawal
from companion.store.connection import rows
from tests.consolidation.conftest import START, World

TODAY = START.date()


async def told(
    world: World, words: str, day: date, *, kind: str = "plan", session: str = "s"
) -> int:
    """A memory of the user's own words about a day."""
    await world.talk(session, words, "I see.")
    return await world.store.write(
        memories.add,
        words,
        kind=kind,
        sources=[Source(session, 1, words)],
        vector=None,
        embedder=world.embedder.name,
        now=world.clock.wall(),
        event_time=day.isoformat(),
    )


async def written(world: World) -> None:
    """The step alone: a whole night makes memories of its own."""
    step = WritingOpeners(world.store, PatternGuard(), world.clock)
    for unit in await world.store.read(step.pending):
        await world.store.write(step.commit, unit, await step.infer(unit))


async def due(world: World, days: int) -> str:
    """What may be said so many days after the first; "" when there is nothing."""
    found = await world.store.read(openers.next_due, TODAY + timedelta(days))
    return found.text if found is not None else ""


async def test_an_event_is_asked_for_on_its_eve_and_when_it_is_over(world: World) -> None:
    await told(world, "I have a spelling test on Saturday", TODAY + timedelta(3))
    await written(world)
    assert [await due(world, days) for days in range(8)] == [
        "",
        "",
        "Tomorrow is the spelling test, isn't it? How do you feel about it?",
        "",
        *["How was the spelling test?"] * 3,
        "",
    ]


async def test_a_night_writes_it_from_what_was_said(world: World) -> None:
    await world.talk("s", "My swimming test is tomorrow.", "Good luck!")
    await world.night()
    assert await due(world, 2) == "How was your swimming test?"


async def test_what_two_memories_hold_is_asked_once(world: World) -> None:
    await told(world, "I have a spelling test tomorrow", TODAY + timedelta(1))
    await told(world, "My test is tomorrow", TODAY + timedelta(1), session="t")
    await written(world)
    found = await world.store.read(openers.next_due, TODAY + timedelta(2))
    assert found is not None
    await world.store.write(openers.use, found.id, world.clock.wall())
    assert await due(world, 2) == ""


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I have a spelling test", "How was the spelling test?"),
        ("my brother has a spelling test", ""),
        ("I have to go to hospital and have a test", ""),
    ],
)
async def test_a_day_may_answer_the_question_for_it(world: World, said: str, expected: str) -> None:
    await world.talk("s", said, "Oh! When is it?", "Tomorrow.", "Good luck!")
    await world.store.write(
        memories.add,
        "The user's test is tomorrow.",
        kind="plan",
        sources=[Source("s", 2, "Tomorrow.")],
        vector=None,
        embedder=world.embedder.name,
        now=world.clock.wall(),
        event_time=(TODAY + timedelta(1)).isoformat(),
    )
    await written(world)
    assert await due(world, 2) == expected
    await erase.erase_turn(world.store, "s", 1)
    assert await due(world, 2) == ""


async def test_it_is_said_once_and_written_once(world: World) -> None:
    await told(world, "I have a spelling test tomorrow", TODAY + timedelta(1))
    await written(world)
    found = await world.store.read(openers.next_due, TODAY + timedelta(2))
    assert found is not None
    await world.store.write(openers.use, found.id, world.clock.wall())
    await written(world)
    assert await due(world, 2) == ""


async def test_what_was_told_on_the_day_itself_is_asked_for_on_the_next(world: World) -> None:
    await told(world, "I have a race today", TODAY)
    await written(world)
    assert await due(world, 1) == "How was the race?"


async def test_two_plans_of_one_sentence_keep_their_days(world: World) -> None:
    words = "I have a test tomorrow and on Saturday we all go swimming"
    await told(world, words, TODAY + timedelta(1))
    await told(world, words, TODAY + timedelta(4), session="t")
    await written(world)
    assert [await due(world, days) for days in (2, 5)] == ["How was the test?", ""]


async def test_what_has_come_up_since_is_not_asked_for(world: World) -> None:
    await told(world, "I have a spelling test tomorrow", TODAY + timedelta(1))
    await written(world)
    world.clock.advance(86400)
    await world.talk("later", "The TEST was easy", "Well done!")
    assert await due(world, 2) == ""


@pytest.mark.parametrize(
    "words",
    [
        "Grandpa's funeral is tomorrow",
        "I have a doctor appointment tomorrow",
        "my brother has a match tomorrow",
        "maybe we go to the zoo tomorrow",
        "I have no test tomorrow",
        "We have a party tomorrow and I want to die",
        "I'm allergic to nuts and we have a party tomorrow",
        "I have a swimming gala tomorrow and I have asthma",
        "I like dogs",
    ],
)
async def test_of_grief_health_crisis_and_doubt_nothing_is_written(
    world: World, words: str
) -> None:
    await told(world, words, TODAY + timedelta(1))
    await written(world)
    assert [await due(world, days) for days in range(6)] == [""] * 6


async def test_what_the_dialog_noted_of_health_is_no_opener(world: World) -> None:
    await told(world, "I have a test tomorrow", TODAY + timedelta(1), kind="health")
    await written(world)
    assert await due(world, 2) == ""


async def test_what_is_no_longer_true_or_long_over_is_not_asked_for(world: World) -> None:
    old = await told(world, "I have a race tomorrow", TODAY + timedelta(1))
    new = await told(world, "I have a gala on Sunday", TODAY + timedelta(9), session="t")
    await told(world, "We have a party today", TODAY - timedelta(30), session="u")
    await written(world)
    await world.store.write(memories.supersede, old, new)
    assert [await due(world, days) for days in (0, 2)] == ["", ""]
    assert await world.store.read(openers.next_due, TODAY - timedelta(29)) is None


async def test_what_can_no_longer_be_said_is_not_kept(world: World) -> None:
    await told(world, "I have a race tomorrow", TODAY + timedelta(1))
    await world.night()
    world.clock.advance(8 * 86400)
    await world.night()
    assert await world.store.read(rows, "SELECT * FROM openers WHERE text <> ''") == []


async def test_a_clock_that_is_wrong_writes_nothing(world: World) -> None:
    await told(world, "I have a race tomorrow", TODAY + timedelta(1))
    world.clock.set_wall(START, trusted=False)
    await written(world)
    assert await due(world, 2) == ""


@pytest.mark.parametrize("way", ["memory", "turn", "session", "all", "withdrawn"])
async def test_it_goes_with_its_memory(world: World, way: str) -> None:
    id = await told(world, "I have a race tomorrow", TODAY + timedelta(1))
    await written(world)
    assert await due(world, 2) == "How was the race?"
    if way == "memory":
        await erase.erase_memory(world.store, id)
    elif way == "turn":
        await erase.erase_turn(world.store, "s", 1)
    elif way == "session":
        await erase.erase_session(world.store, "s")
    elif way == "all":
        await erase.erase_all(world.store)
    else:
        await world.store.write(withdrawal.withdraw, [("s", 1)])
    assert await world.store.read(rows, "SELECT * FROM openers WHERE text <> ''") == []


async def test_it_goes_with_the_words_it_was_made_of_when_the_memory_stays(world: World) -> None:
    id = await told(world, "I have a race tomorrow", TODAY + timedelta(1))
    await world.talk("t", "It is a running race", "Oh!")
    await world.store.write(memories.add_sources, id, [Source("t", 1, "It is a running race")])
    await written(world)
    await erase.erase_turn(world.store, "s", 1)
    assert await world.store.read(memories.get, id) is not None
    assert await world.store.read(rows, "SELECT * FROM openers") == []
