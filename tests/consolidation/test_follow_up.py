"""What is said later about something that was told stands beside the memory of it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from companion import language
from companion.acts.play import Play
from companion.consolidation import follow_up
from companion.consolidation.follow_up import remark_of
from companion.language.types import Remark
from companion.records import Memory
from companion.store import follow_ups, history, openers
from companion.store.openers import Opener
from tests.consolidation.conftest import World

DAY_S = timedelta(days=1).total_seconds()
RAFT = "I'm building a raft with my brother for the river race."


async def about(world: World, word: str) -> list[Memory]:
    return [each for each in await world.remembered() if word in each.sources[0].quote]


@pytest.fixture(autouse=True)
def likely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors of hashes are less alike than those the weights were fitted to."""
    monkeypatch.setattr(follow_up, "LEAST", -4.5)


async def test_what_became_of_it_stands_beside_it(world: World) -> None:
    await world.talk("morning", "I like painting dragons.", "Nice!")
    await world.talk("day-1", RAFT, "How exciting!")
    await world.night(["none"])
    world.clock.advance(DAY_S)
    await world.talk("day-2", "The raft sank in the river race, my brother got so wet.", "Oh no!")
    await world.night(["none"])
    [raft] = await about(world, "building a raft")
    [later] = raft.later
    assert (later.session, later.turn) == ("day-2", 1)
    assert "sank" in later.text
    [dragons] = await about(world, "dragons")
    assert dragons.later == ()
    assert "sank" in language.follow_up.with_later(raft.text, [(later.said, later.text)])


async def test_what_was_told_once_more_starts_anew(world: World) -> None:
    await world.talk("day-1", RAFT, "How exciting!")
    await world.night(["none"])
    world.clock.advance(DAY_S)
    await world.talk("day-2", "The raft sank in the river race, my brother got so wet.", "Oh no!")
    await world.night(["none"])
    world.clock.advance(DAY_S)
    await world.talk("day-3", RAFT, "Again!")
    await world.night(["none"])
    [raft] = await about(world, "building a raft")
    assert raft.later == ()


async def test_talks_are_looked_through_once(world: World) -> None:
    await world.talk("day-1", RAFT, "How exciting!")
    assert await world.store.read(follow_ups.unfollowed, 9) == [("day-1", 1)]
    await world.night(["none"])
    assert await world.store.read(follow_ups.unfollowed, 9) == []


async def test_no_remark_is_made_in_a_game_or_taken_back(world: World) -> None:
    await world.talk(
        *("day-1", "Let's pretend I'm a pirate captain.", "Aye!"),
        *("My raft sank, arrr.", "Arrr!", "Stop playing now. I had soup.", "Yum!"),
    )
    turns = await world.store.read(history.turns, "day-1")
    meant = [remark_of(turns, n, await Play().earnest(turns, n)) for n in (1, 2, 3)]
    assert [each and each.text for each in meant] == [None, None, "Stop playing now. I had soup."]


async def test_what_was_called_off_is_not_asked_for(world: World) -> None:
    await world.talk("day-1", "My swimming test is tomorrow.", "Good luck!")
    await world.night(["none"])
    [test] = await about(world, "test")
    soon = date(2026, 10, 9)
    opener = Opener(soon, soon, "swimming test", "How was your swimming test?")
    await world.store.write(openers.put, test.id, [opener])
    assert await world.store.read(openers.next_due, soon) is not None
    await world.talk("day-2", "The swimming test is cancelled, the pool is shut.", "Oh!")
    await world.night(["none"])
    assert await world.store.read(openers.next_due, soon) is None


def test_signs_are_those_of_the_weights() -> None:
    signs = language.follow_up.signs(
        Remark("It's thirteen hubcaps now!", "How many?"), Remark("I have eleven hubcaps", ""), len
    )
    assert signs.keys() | {"likeness", "the same talk"} == follow_up._WEIGHTS.keys()
    assert signs["other numbers"] == 1
    assert signs["shared"] > 0
