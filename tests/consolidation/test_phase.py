"""The whole inactive phase over a real store, on a model that follows rules."""

from __future__ import annotations

from datetime import timedelta

import numpy as np

from companion.cli.diary import doing
from companion.consolidation.merge import duplicates
from companion.consolidation.report import Progress
from companion.records import Source
from companion.store import (
    blocks,
    history,
    memories,
    profile,
)
from companion.store.intermediate import Draft
from tests.consolidation.conftest import FIRST_DAY, START, World
from tests.fakes import HashEmbedder


async def test_a_day_becomes_memories_with_their_sources(world: World) -> None:
    await world.talk("day-1", *FIRST_DAY)
    report = await world.night()
    found = await world.remembered()
    assert [memory.text for memory in found] == [
        "The user has a dog named Rex.",
        "The user likes painting dragons.",
        "The user's swimming test is on 8 October 2026.",
        "The user lives in Leeds, near the canal.",
    ]
    assert found[0].sources == (Source("day-1", 1, f"{FIRST_DAY[0]}"),)
    assert found[2].event_time == "2026-10-08"
    assert (await world.store.read(profile.current)).name == "Emily"
    assert (report.sessions, report.turns, report.added) == (1, 3, 4)
    assert all(session.consolidated for session in await world.store.read(history.sessions))


async def test_a_memory_bears_the_day_on_which_it_was_told(world: World) -> None:
    """Whoever is switched off after talking learns on another day: "On Thursday you told me"."""
    await world.talk("day-1", "I have a dog named Rex.", "Nice.")
    world.clock.advance(timedelta(days=1).total_seconds())
    await world.night()
    (memory,) = await world.remembered()
    assert memory.created == START
    assert memory.last_used == world.clock.wall()


async def test_every_step_is_shown_to_people_in_words(world: World) -> None:
    await world.talk("day-1", *(("I like painting dragons with my friends. " * 8, "Nice.") * 2))
    steps: list[Progress] = []
    await world.night()
    world.embedder = HashEmbedder(128)
    await world.talk(
        "day-2", *(("I have a dog named Rex and my friends like him. " * 8, "Aha.") * 2)
    )
    await world.night(on_progress=steps.append)
    assert {"embed-memory", "revise", "draft", "forget"} <= {progress.step for progress in steps}
    assert not [progress.step for progress in steps if doing(progress) == progress.step]


async def test_every_quote_stands_in_a_message_of_the_user(world: World) -> None:
    await world.talk("day-1", *FIRST_DAY)
    await world.night()
    for memory in await world.remembered():
        assert memory.sources
        for source in memory.sources:
            turn = await world.store.read(history.turn, source.session, source.turn)
            assert turn is not None
            assert turn.user is not None
            assert source.quote in turn.user.text


async def test_a_second_run_changes_nothing_and_asks_nothing(world: World) -> None:
    await world.talk("day-1", *FIRST_DAY)
    await world.night()
    before = await world.remembered()
    report = await world.night()
    assert await world.remembered() == before
    assert (report.model_calls, report.turns, report.diary) == (0, 0, [])


async def test_what_is_said_again_is_one_memory_with_two_sources(world: World) -> None:
    await world.talk("day-1", "I have a dog named Rex.", "Nice.")
    await world.night()
    await world.talk("day-2", "I have a dog named Rex!", "I know.")
    report = await world.night()
    (memory,) = await world.remembered()
    assert [source.session for source in memory.sources] == ["day-1", "day-2"]
    assert memory.strength == 2
    assert (report.added, report.duplicates) == (0, 1)


async def test_a_new_truth_supersedes_the_old_one_and_can_be_undone(world: World) -> None:
    await world.talk("day-1", "I live in Leeds with my parents.", "Nice.")
    await world.night()
    await world.talk("day-2", "I live in York with my parents.", "Oh!")
    report = await world.night()
    assert await world.texts() == ["The user lives in York with their parents."]
    (old,) = await world.store.read(memories.list_memories, "superseded")
    assert report.replaced == 1
    assert [(e.change, e.before) for e in report.diary if e.what == "memory"] == [
        ("changed", "The user lives in Leeds with their parents.")
    ]
    await world.store.write(memories.undo_supersede, old.id)
    assert len(await world.remembered()) == 2


async def test_a_new_dog_does_not_cost_the_old_one(world: World) -> None:
    await world.talk("day-1", "I have a dog named Rex.", "Nice.")
    await world.night()
    await world.talk("day-2", "I have a new dog named Bella.", "Two dogs!")
    await world.night(lambda messages: "The user has a new dog named Bella.")
    assert len(await world.remembered()) == 2


async def test_a_count_replaces_the_count_before(world: World) -> None:
    await world.talk("day-1", "I have 2 bicycles.", "Nice.")
    await world.night()
    await world.talk("day-2", "I have 3 bicycles.", "More!")
    await world.night()
    assert await world.texts() == ["The user has 3 bicycles."]


async def test_two_swimming_tests_on_two_days_are_two_events(world: World) -> None:
    await world.talk("day-1", "My swimming test is tomorrow.", "Good luck.")
    await world.night()
    world.clock.advance(timedelta(days=3).total_seconds())
    await world.talk("day-4", "My swimming test is tomorrow.", "Again?")
    await world.night()
    assert [m.event_time for m in await world.remembered()] == ["2026-10-08", "2026-10-11"]


async def test_what_is_put_right_at_once_is_one_event_on_the_day_that_was_meant(
    world: World,
) -> None:
    said = "I have a football match on Saturday. No wait, on Sunday."
    await world.talk("day-1", said, "Fun!")
    await world.night()
    (memory,) = await world.remembered()
    assert memory.text == "The user has a football match on 11 October 2026."
    assert memory.event_time == "2026-10-11"
    assert memory.sources[0].quote in said


async def test_small_talk_costs_no_model_call(world: World) -> None:
    await world.talk(
        "day-1",
        "Hello!",
        "Hi!",
        "Thank you, that is a great idea.",
        "Sure.",
        "What is rain?",
        "Water.",
    )
    report = await world.night()
    assert (report.model_calls, report.turns, report.drafted) == (0, 3, 0)


async def test_nothing_but_the_session_is_read(world: World) -> None:
    await world.talk("day-1", "I have a dog named Rex.", "Nice.")
    await world.night()
    await world.talk("day-2", "I like painting dragons.", "Nice.")
    await world.night()
    notebook = [
        message.text
        for call in world.model.calls
        if call[0].text.startswith("You keep a notebook")
        for message in call
    ]
    assert sum("Rex" in text for text in notebook) == 1


async def test_pretend_play_and_jokes_are_no_facts(world: World) -> None:
    await world.talk(
        "day-1",
        "Let's pretend I am a pirate!",
        "Arr!",
        "I have a ship with 20 cannons.",
        "Ahoy!",
        "I have a purple cow.",
        "Really?",
        "Just kidding!",
        "Ha!",
    )
    report = await world.night()
    assert await world.texts() == []
    assert report.drafted == 0


def test_the_same_words_of_two_days_are_two_events() -> None:
    def draft(id: int, day: str) -> Draft:
        return Draft(id, "The user has a swimming test.", "plan", Source("s", id, "test"), day)

    vectors = np.ones((3, 1), dtype=np.float32)
    drafts = [draft(1, "2026-10-08"), draft(2, "2026-10-09"), draft(3, "2026-10-08")]
    assert duplicates(drafts, vectors) == [(3, 1)]


async def test_a_night_gives_vectors_to_what_was_overheard(world: World) -> None:
    """Of it nothing else is made: no fact, no profile."""
    id = await world.store.write(blocks.add, "My name is Otto and I love trams.", START)
    await world.night()
    assert await world.store.read(blocks.unembedded, world.embedder.name, 5) == []
    assert (await world.store.read(blocks.get_all, [id]))[id].time == START
    assert await world.remembered() == []
    assert (await world.store.read(profile.current)).name is None
