"""A board whose clock starts in 1970: nothing is dated by it, nothing fades, order is kept."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.recall.notes import turn_note
from companion.store import history, lived
from companion.store.database import Store
from tests.consolidation.conftest import START, World

EPOCH = datetime(1970, 1, 1, 0, 1, tzinfo=timezone.utc)


async def test_what_is_said_without_a_clock_has_no_date_and_does_not_fade(tmp_path: Path) -> None:
    clock = ManualClock(EPOCH, trusted=False)
    store = await Store.open(tmp_path, StoreSection(), clock)
    world = World(store, clock)
    await world.talk("before", "My swimming test is tomorrow in the big pool of the town.", "Oh!")
    await world.night()
    (memory,) = await world.remembered()
    assert memory.event_time is None
    assert "1970" not in memory.text
    (turn,) = await store.read(history.turns, "before")
    note = turn_note(turn)
    assert note is not None
    assert note.line.startswith("On some day: They: My swimming test is tomorrow in")
    clock.advance(400 * lived.DAY_S)
    await world.night()
    assert await store.read(lived.now) == 0
    assert await world.remembered() == [memory]
    clock.set_wall(START)
    await world.talk("after", "My riding test is tomorrow on the brown horse.", "Oh!")
    await world.night()
    assert [session.id for session in await store.read(history.sessions)] == ["before", "after"]
    assert [memory.event_time for memory in await world.remembered()] == [None, "2026-10-08"]
    await store.close()


async def test_a_wall_clock_that_jumps_ten_years_ahead_and_back_fades_nothing(
    world: World,
) -> None:
    await world.talk("s", "I have a red kite that flies over the roofs of the town.", "Oh!")
    await world.night()
    held = await world.remembered()
    for days in (3650, -3650, 30, -30):
        world.clock.set_wall(START + timedelta(days=days))
        world.clock.advance(60)
        await world.night()
        (memory,) = await world.remembered()
        assert memory.retention > 0.99
        assert memory.event_time == held[0].event_time
