"""Forgetting by what a memory is about: a real store, a clock that moves when told."""

from __future__ import annotations

from datetime import date, timedelta, timezone
from pathlib import Path

import apsw
import pytest

from companion.clock import ManualClock
from companion.config import ForgettingSection, StoreSection
from companion.consolidation.forget import forget
from companion.consolidation.lifespan import LIFESPAN, lifespan
from companion.records import Source
from companion.store import memories
from companion.store.connection import rows
from companion.store.database import Store
from companion.store.migrations import MIGRATIONS
from companion.store.opening import open_owner
from tests.consolidation.conftest import START, World

DAY_S = timedelta(days=1).total_seconds()
LIFESPANS = ForgettingSection()
PAPER = ForgettingSection(rule="paper")


async def remember(world: World, kind: str, event_time: str | None = None, text: str = "") -> int:
    """A memory of this kind, told now."""

    def add(c: apsw.Connection) -> int:
        return memories.add(
            c,
            text or f"The user told something of the kind {kind}.",
            kind=kind,
            sources=[Source("gone", 1, "tea")],
            vector=None,
            embedder="",
            now=world.clock.wall(),
            event_time=event_time,
        )

    return await world.store.write(add)


async def forgotten(world: World, section: ForgettingSection = LIFESPANS) -> int:
    """One nightly forgetting; returns how many memories faded."""
    today = world.clock.wall().date()
    effects = await world.store.write(forget, section, today)
    return effects.counts["forgotten"]


async def days_pass(world: World, days: int) -> None:
    for _ in range(days):
        world.clock.advance(DAY_S)
        await world.store.write(lambda c: None)


async def nights(world: World, days: int, section: ForgettingSection = LIFESPANS) -> None:
    """Each day ends with a forgetting."""
    for _ in range(days):
        await days_pass(world, 1)
        await forgotten(world, section)


async def is_active(world: World, id: int) -> bool:
    memory = await world.store.read(memories.get, id)
    return memory is not None and memory.status == "active"


@pytest.mark.parametrize(
    ("kind", "days"),
    [("trivia", 5), ("mood", 5), ("event", 30), ("fact", 90), ("plan", 90), ("pet", 365)],
)
async def test_each_kind_fades_when_its_lifespan_is_over(
    world: World, kind: str, days: int
) -> None:
    id = await remember(world, kind)
    await nights(world, days - 1)
    assert await is_active(world, id)
    await nights(world, 2)
    assert not await is_active(world, id)


async def test_health_and_birthdays_do_not_fade_in_ten_years(world: World) -> None:
    ids = [await remember(world, kind) for kind in ("health", "birthday", "profile")]
    for _ in range(10 * 52):
        world.clock.advance(7 * DAY_S)
        await world.store.write(lambda c: None)
    assert await forgotten(world) == 0
    for id in ids:
        memory = await world.store.read(memories.get, id)
        assert memory is not None
        assert (memory.status, memory.retention) == ("active", 1)


async def test_a_kind_that_nobody_knows_gets_the_middle_lifespan(world: World) -> None:
    id = await remember(world, "zebra")
    await nights(world, 89)
    assert await is_active(world, id)
    await nights(world, 2)
    assert not await is_active(world, id)


@pytest.mark.parametrize("kind", ["mood", "event"])
async def test_each_use_adds_a_lifespan(world: World, kind: str) -> None:
    id = await remember(world, kind)
    await world.store.write(memories.touch, [id], world.clock.wall())
    await nights(world, int(2 * LIFESPAN[kind]) - 1)
    assert await is_active(world, id)
    await nights(world, 2)
    assert not await is_active(world, id)


async def test_a_plan_begins_to_fade_when_its_day_is_over(world: World) -> None:
    """A friend asks how it was, however long ago it was told."""
    id = await remember(world, "plan", "2026-12-24")
    ahead = (date(2026, 12, 24) - START.date()).days
    await nights(world, ahead + 29)
    assert await is_active(world, id)
    await nights(world, 3)
    assert not await is_active(world, id)


@pytest.mark.parametrize(
    ("kind", "days"),
    [("person", 30), ("habit", 30), ("mood", 5), ("milestone", 365), ("birthday", float("inf"))],
)
def test_what_has_a_day_is_an_event(kind: str, days: float) -> None:
    """ "Grandma comes on Friday" is not about who Grandma is; a birthday stays one."""
    assert lifespan(kind, dated=True) == days


async def test_a_pinned_memory_and_what_took_its_place_stay(world: World) -> None:
    pinned, new = await remember(world, "mood"), await remember(world, "mood")
    await world.store.write(memories.pin, pinned, True)
    await world.store.write(memories.supersede, pinned, new)
    await nights(world, 100)
    assert await is_active(world, new)
    assert await world.store.read(memories.get, pinned) is not None


async def test_what_is_no_longer_true_goes_as_soon_as_before(world: World) -> None:
    old, new = await remember(world, "pet"), await remember(world, "pet")
    await world.store.write(memories.supersede, old, new)
    await nights(world, 35)
    assert await world.store.read(memories.get, old) is None
    assert await is_active(world, new)


async def test_a_retention_that_is_shown_is_that_of_the_rule(world: World) -> None:
    id = await remember(world, "event")
    await nights(world, 15)
    memory = await world.store.read(memories.get, id)
    assert memory is not None
    assert memory.retention == pytest.approx(0.1)  # half of the way to 0.01
    await forgotten(world, ForgettingSection(rule="paper", r_min=1e-9))
    memory = await world.store.read(memories.get, id)
    assert memory is not None
    assert memory.retention == pytest.approx(3.06e-7, rel=0.01)  # exp(-15)


async def test_what_the_paper_let_fade_comes_back_when_the_rule_changes(world: World) -> None:
    pet, mood = await remember(world, "pet"), await remember(world, "mood")
    await nights(world, 10, PAPER)
    assert not await is_active(world, pet)
    await forgotten(world)
    assert await is_active(world, pet)
    assert not await is_active(world, mood)
    assert [id for id, _ in await world.store.read(memories.search, "pet", 5)] == [pet]
    await forgotten(world, PAPER)
    assert not await is_active(world, pet)
    await forgotten(world)
    assert await is_active(world, pet)


async def test_what_comes_back_has_not_been_used_by_that(world: World) -> None:
    id = await remember(world, "event")
    await nights(world, 10, PAPER)
    await nights(world, 19)
    assert await is_active(world, id)
    await nights(world, 2)
    assert not await is_active(world, id)


async def test_what_was_told_again_meanwhile_does_not_come_back_twice(world: World) -> None:
    old = await remember(world, "pet")
    await nights(world, 10, PAPER)
    new = await remember(world, "pet")
    await forgotten(world)
    assert await is_active(world, new)
    assert not await is_active(world, old)


async def test_a_month_of_silence_counts_for_a_week(world: World) -> None:
    id = await remember(world, "event")
    await world.store.write(lambda c: None)
    world.clock.advance(60 * DAY_S)
    assert await forgotten(world) == 0
    await nights(world, 22)
    assert await is_active(world, id)
    await nights(world, 2)
    assert not await is_active(world, id)


async def test_a_clock_that_jumps_makes_nothing_fade(world: World) -> None:
    """A year ahead and back again, by a network or a flat battery."""
    mood = await remember(world, "mood")
    plan = await remember(world, "plan", "2026-12-24")
    for year in (2027, 2026, 2025, 2026):
        world.clock.set_wall(START.replace(year=year))
        assert await forgotten(world) == 0
    assert await is_active(world, mood)
    assert await is_active(world, plan)


async def test_nothing_fades_by_a_clock_that_stands_at_1970(world: World) -> None:
    await remember(world, "mood")
    await days_pass(world, 20)
    world.clock.set_wall(START.replace(year=1970, tzinfo=timezone.utc), trusted=False)
    assert (await world.night()).forgotten == 0


async def test_two_nights_of_one_day_are_one(world: World) -> None:
    await remember(world, "mood")
    await days_pass(world, 6)
    assert await forgotten(world) == 1
    assert await forgotten(world) == 0


async def test_a_store_from_before_gets_its_lifespans_in_the_next_night(tmp_path: Path) -> None:
    """Written by a release that had one curve for all, with whatever kinds it had."""
    old = open_owner(tmp_path, StoreSection(), MIGRATIONS[:2])
    c = old.connection
    for kind in ("relation", "fact", "zebra"):
        c.execute(
            "INSERT INTO memories (text, kind, created, last_used, last_used_lived_s, strength) "
            "VALUES (?1, ?2, ?3, ?3, 0, 1)",
            (f"The user told {kind}.", kind, "2026-10-01T12:00:00+00:00"),
        )
    old.close()
    clock = ManualClock(START)
    store = await Store.open(tmp_path, StoreSection(), clock)
    world = World(store, clock)
    try:
        assert len(await world.remembered()) == 3
        await nights(world, 20)
        assert len(await world.remembered()) == 3
        units = await store.read(rows, "SELECT unit_days > 1, sorted FROM memories")
        assert units == [(1, 0)] * 3
    finally:
        await store.close()
