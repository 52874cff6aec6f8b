"""Forgetting on lived time as published, with its exemptions, and what holds for every rule."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import apsw
import pytest

from companion.clock import ManualClock
from companion.config import ForgettingSection, StoreSection
from companion.consolidation.forget import forget
from companion.records import Source
from companion.store import history, memories, sweep
from companion.store.database import Store
from tests.consolidation.conftest import START, World
from tests.store.conftest import files

DAY_S = timedelta(days=1).total_seconds()
PAPER = ForgettingSection(rule="paper")


async def _remember(
    world: World, text: str = "The user likes tea.", kind: str = "fact", **more: str
) -> int:
    def add(c: apsw.Connection) -> int:
        return memories.add(
            c,
            text,
            kind=kind,
            sources=[Source("gone", 1, "tea")],
            vector=None,
            embedder="",
            now=world.clock.wall(),
            event_time=more.get("event_time"),
        )

    return await world.store.write(add)


async def _days_pass(world: World, days: int) -> None:
    """The machine is on, and writes now and then."""
    for _ in range(days):
        world.clock.advance(DAY_S)
        await world.store.write(lambda c: None)


async def test_an_unused_fact_fades_on_the_fifth_day(world: World) -> None:
    await _remember(world)
    await _days_pass(world, 4)
    assert (await world.night(forgetting=PAPER)).forgotten == 0
    await _days_pass(world, 1)
    report = await world.night(forgetting=PAPER)
    assert report.forgotten == 1
    assert [(e.change, e.text) for e in report.diary] == [("faded", "The user likes tea.")]
    assert await world.texts() == []
    assert (await world.night(forgetting=PAPER)).forgotten == 0


async def test_use_makes_it_last_longer(world: World) -> None:
    id = await _remember(world)
    await world.store.write(memories.touch, [id], world.clock.wall())
    await _days_pass(world, 8)
    assert (await world.night(forgetting=PAPER)).forgotten == 0
    await _days_pass(world, 2)
    assert (await world.night(forgetting=PAPER)).forgotten == 1


@pytest.mark.parametrize("exempt", ["profile", "pinned", "future"])
async def test_some_things_never_fade(world: World, exempt: str) -> None:
    if exempt == "profile":
        await _remember(world, "The user is allergic to peanuts.", "profile")
    elif exempt == "pinned":
        await world.store.write(memories.pin, await _remember(world), True)
    else:
        await _remember(world, event_time="2026-12-24")
    await _days_pass(world, 60)
    assert (await world.night(forgetting=PAPER)).forgotten == 0


async def test_what_was_dated_in_the_future_fades_when_its_day_is_over(world: World) -> None:
    await _remember(world, event_time="2026-10-17")
    await _days_pass(world, 10)
    assert (await world.night(forgetting=PAPER)).forgotten == 0
    await _days_pass(world, 1)
    assert (await world.night(forgetting=PAPER)).forgotten == 1


async def test_the_archive_is_emptied_for_good(world: World) -> None:
    id = await _remember(world)
    await _days_pass(world, 5)
    await world.night(forgetting=PAPER)
    await _days_pass(world, 29)
    await world.night(forgetting=PAPER)
    assert await world.store.read(memories.get, id) is not None
    await _days_pass(world, 1)
    await world.night(forgetting=PAPER)
    assert await world.store.read(memories.get, id) is None


async def test_bytes_of_what_was_removed_are_gone_from_every_file(tmp_path: Path) -> None:
    clock = ManualClock(START)
    store = await Store.open(tmp_path, StoreSection(encrypt=False), clock)
    world = World(store, clock)
    await _remember(world, "The user likes xylophonecanary.")
    await _days_pass(world, 5)
    await world.night(forgetting=PAPER)
    await _days_pass(world, 30)
    await world.night(forgetting=PAPER)
    await store.close()
    assert not [file for file, held in files(tmp_path).items() if b"xylophonecanary" in held]


async def test_bytes_of_what_was_removed_are_gone_after_a_night_that_was_cut(
    tmp_path: Path,
) -> None:
    """Whoever spoke, or a power cut, between removing and sweeping left them for good."""
    clock = ManualClock(START)
    store = await Store.open(tmp_path, StoreSection(encrypt=False), clock)
    world = World(store, clock)
    await _remember(world, "The user likes xylophonecanary.")
    await _days_pass(world, 5)
    await world.night(forgetting=PAPER)
    await _days_pass(world, 31)
    await store.write(forget, PAPER, clock.wall().date())
    assert await store.read(sweep.waits)
    await world.night(forgetting=PAPER)
    assert not await store.read(sweep.waits)
    await store.close()
    assert not [file for file, held in files(tmp_path).items() if b"xylophonecanary" in held]


async def test_a_superseded_memory_goes_once_it_has_faded_and_waited(world: World) -> None:
    old, new = await _remember(world), await _remember(world, "The user likes milk.", "profile")
    await world.store.write(memories.supersede, old, new)
    await _days_pass(world, 34)
    await world.night(forgetting=PAPER)
    assert await world.store.read(memories.get, old) is not None
    await _days_pass(world, 1)
    await world.night(forgetting=PAPER)
    assert await world.store.read(memories.get, old) is None
    assert await world.store.read(memories.get, new) is not None


async def test_what_took_the_place_of_a_pinned_memory_stays_and_so_does_that(world: World) -> None:
    """What a parent had asked to keep went for good with the memory that had superseded it."""
    pinned, new = await _remember(world), await _remember(world, "The user likes milk.")
    newest = await _remember(world, "The user likes cocoa.")
    await world.store.write(memories.pin, pinned, True)
    await world.store.write(memories.supersede, pinned, new)
    await world.store.write(memories.supersede, new, newest)
    for _ in range(3):
        await _days_pass(world, 31)
        assert (await world.night(forgetting=PAPER)).forgotten == 0
    for id in (pinned, new, newest):
        assert await world.store.read(memories.get, id) is not None


async def test_a_memory_that_stands_again_does_not_fade_the_same_night(world: World) -> None:
    old, new = await _remember(world), await _remember(world, "The user likes milk.")
    await world.store.write(memories.supersede, old, new)
    await _days_pass(world, 20)
    await world.store.write(memories.undo_supersede, old)
    await world.night(forgetting=PAPER)
    assert await world.texts() == ["The user likes tea."]


async def test_raw_turns_expire_but_their_quotes_stay(world: World) -> None:
    await world.talk("day-1", "I'm allergic to peanuts.", "I will remember.")
    await world.night(["The user is allergic to peanuts."])
    await _days_pass(world, 28)
    await world.night(forgetting=PAPER)
    assert len(await world.store.read(history.turns, "day-1")) == 1
    await _days_pass(world, 3)
    await world.night(forgetting=PAPER)
    assert await world.store.read(history.turns, "day-1") == []
    (memory,) = await world.remembered()
    assert memory.sources[0].quote == "I'm allergic to peanuts."


async def test_nothing_fades_on_a_clock_that_is_plainly_wrong(world: World) -> None:
    await _remember(world)
    await _days_pass(world, 5)
    world.clock.set_wall(START.replace(year=1970), trusted=False)
    assert (await world.night(forgetting=PAPER)).forgotten == 0


async def test_forgetting_can_be_turned_off(world: World) -> None:
    await _remember(world)
    await _days_pass(world, 5)
    assert (
        await world.night(forgetting=ForgettingSection(enabled=False, rule="paper"))
    ).forgotten == 0
