"""What was said later about a memory, and when it goes."""

from __future__ import annotations

from datetime import date, timedelta

from companion.records import FollowUp, Memory, Source
from companion.store import erase, erase_rows, follow_ups, memories, openers, pending_erase
from companion.store.database import Store
from companion.store.export import export
from companion.store.follow_ups import Found
from companion.store.openers import Opener

from .canaries import canary, remember, say, traces
from .conftest import START


def later(turn: int, name: str) -> FollowUp:
    return FollowUp("s", turn, canary(name), START + timedelta(minutes=turn))


async def held(store: Store, id: int) -> tuple[FollowUp, ...]:
    memory: Memory | None = await store.read(memories.get, id)
    assert memory is not None
    return memory.later


async def test_the_surest_few_are_kept_in_the_order_they_were_said(plain: Store) -> None:
    await plain.write(say, "s", "one", "two", "three", "four")
    id = await plain.write(remember, "one", ("s", 1))
    found = [Found(id, later(turn, str(turn)), score) for turn, score in ((4, 0.5), (2, 2), (3, 1))]
    await plain.write(follow_ups.add, found)
    assert [each.turn for each in await held(plain, id)] == [2, 3]
    assert (await held(plain, id))[0] == later(2, "2")
    await plain.write(follow_ups.clear, id)
    assert await held(plain, id) == ()


async def test_one_whose_memory_is_gone_is_left_out(plain: Store) -> None:
    await plain.write(say, "s", "one", "two")
    await plain.write(follow_ups.add, [Found(99, later(2, "two"), 1.0)])
    assert await plain.read(follow_ups.of, [99]) == {}


async def test_a_part_of_a_memory_goes_on_as_it_did(plain: Store) -> None:
    await plain.write(say, "s", "one", "two")
    old = await plain.write(remember, "one", ("s", 1))
    new = await plain.write(remember, "three", ("s", 1))
    await plain.write(follow_ups.add, [Found(old, later(2, "two"), 1.0)])
    await plain.write(follow_ups.hand_on, old, new)
    assert await held(plain, new) == (later(2, "two"),)


async def test_it_goes_with_its_turn(plain: Store) -> None:
    await plain.write(say, "s", "one", "two")
    id = await plain.write(remember, "one", ("s", 1))
    await plain.write(follow_ups.add, [Found(id, later(2, "two"), 1.0)])
    await erase.erase_turn(plain, "s", 2)
    assert await held(plain, id) == ()
    assert traces(plain.directory, "two") == []


async def test_it_goes_with_the_memory_of_the_same_words(plain: Store) -> None:
    await plain.write(say, "s", "one", "two")
    id = await plain.write(remember, "one", ("s", 1))
    other = await plain.write(remember, "two", ("s", 2))
    await plain.write(follow_ups.add, [Found(id, later(2, "two"), 1.0)])
    await plain.write(erase_rows.drop_memory, other)
    assert await held(plain, id) == ()


async def test_what_is_hidden_and_brought_back_is_there_again(plain: Store) -> None:
    await plain.write(say, "s", "one", "two")
    id = await plain.write(remember, "one", ("s", 1))
    await plain.write(follow_ups.add, [Found(id, later(2, "two"), 1.0)])
    waiting = await plain.write(pending_erase.hide, {"turn": ["s", 2]}, 60.0, START)
    assert await held(plain, id) == ()
    await plain.write(pending_erase.undo, waiting)
    assert await held(plain, id) == (later(2, "two"),)


async def test_an_export_holds_it(plain: Store) -> None:
    await plain.write(say, "s", "one", "two")
    id = await plain.write(remember, "one", ("s", 1))
    await plain.write(follow_ups.add, [Found(id, later(2, "two"), 1.0)])
    [memory] = (await plain.read(export))["memories"]
    [said] = memory["later"]
    assert (said["turn"], said["text"]) == (2, canary("two"))
    assert said["said"] == (START + timedelta(minutes=2)).isoformat()


async def test_what_was_moved_or_called_off_is_not_asked_for(plain: Store) -> None:
    await plain.write(say, "s", "one", "two", "three")
    day, source = date(2100, 1, 1), Source("s", 1, "the test")
    id = await plain.write(
        memories.add,
        "A test",
        kind="event",
        sources=[source],
        vector=None,
        embedder="e",
        now=START,
        event_time="2099-12-31",
    )
    await plain.write(openers.put, id, [Opener(day, day, "zz", "How was it?")])
    await plain.write(follow_ups.add, [Found(id, later(2, "two"), 1.0)])
    assert await plain.read(openers.next_due, day) is not None
    await plain.write(follow_ups.add, [Found(id, later(3, "three"), 1.0, moved=True)])
    assert await plain.read(openers.next_due, day) is None
