"""What is erased with an undo: hidden from everything at once, put back as it was, or gone from
every file. The stores here are plain: encryption would hide a leak."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import apsw
import pytest

from companion.clock import ManualClock
from companion.errors import InputError, StoreFailing
from companion.records import BigFive, Personality, Source
from companion.store import (
    erase,
    history,
    intermediate,
    log,
    memories,
    notices,
    openers,
    pending,
    pending_erase,
    profile,
    turn_index,
    withdrawal,
)
from companion.store.connection import rows
from companion.store.database import Store
from companion.store.export import export

from .canaries import PLAIN, canary, remember, say, traces, vector_of
from .child import hide_and_die
from .conftest import START
from .processes import process

NAMES = ("one", "two", "three", "four", "five", "six")


def life(c: apsw.Connection) -> None:
    """Two talks of three turns, and memories that rest on one turn, on two, and on each other."""
    say(c, "first", *NAMES[:3])
    say(c, "second", *NAMES[3:])
    a = remember(c, "one", ("first", 1))
    b = remember(c, "two", ("first", 1), ("second", 1))
    d = remember(c, "three", ("second", 1))
    memories.supersede(c, a, b)
    memories.supersede(c, b, d)
    remember(c, "four", ("second", 2), ("second", 3))
    remember(c, "five", ("first", 2))
    profile.note(c, "name", "Mia", Source("first", 2, "Mia"), START)
    profile.note(c, "name", "Maya", Source("second", 2, "Maya"), START)
    for session in ("first", "second"):
        intermediate.add_chunks(c, session, [(1, 2), (3, 3)])
        intermediate.put_summary(c, session, 2, "before")
        evidence = intermediate.Evidence(session, 1, START, 5, "s", BigFive(), ("x",))
        intermediate.put_evidence(c, session, 1, evidence)
    profile.put_personality(c, Personality("Curious."), START)
    notices.mark(c, "self-harm", "second", 3, tell=START)
    openers.put(c, d, [])
    c.execute("INSERT INTO skill_state VALUES ('story', '{}', '', 'first', 2)")
    c.execute(
        "INSERT INTO timers (kind, label, at, session, turn) VALUES ('alarm', 'x', '', 'first', 3)"
    )


def everything(c: apsw.Connection) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table of ours but what waits to go."""
    tables = rows(
        c,
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict "
        "AND name NOT IN ('pending_erase', 'state', 'migrations') ORDER BY name",
    )
    return {name: sorted(rows(c, f"SELECT * FROM {name}"), key=repr) for (name,) in tables}


def sound(c: apsw.Connection) -> None:
    """Both text indexes hold what the tables hold, and nothing hangs in the air."""
    for index in ("turn_index", "memory_index"):
        c.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")
    assert rows(c, "PRAGMA foreign_key_check") == []
    assert c.pragma("quick_check") == "ok"


def hidden(*names: str) -> Any:
    def look(c: apsw.Connection) -> bool:
        held = str(export(c))
        found = [
            *(turn_index.search_turns(c, canary(name), 5) for name in names),
            *(memories.search(c, canary(name), 5) for name in names),
        ]
        return not any(canary(name) in held for name in names) and not any(found)

    return look


WHATS: tuple[dict[str, Any], ...] = (
    {"memory": 3},
    {"memory": 5},
    {"turn": ["first", 1]},
    {"turn": ["first", 3]},
    {"turn": ["second", 1]},
    {"turn": ["second", 2]},
    {"session": "first"},
    {"session": "second"},
)


@pytest.mark.parametrize("what", WHATS, ids=str)
async def test_undone_it_is_all_there_again(plain: Store, what: dict[str, Any]) -> None:
    await plain.write(life)
    before = await plain.read(everything)
    id = await plain.write(pending_erase.hide, what, 600, START)
    assert await plain.read(everything) != before
    await plain.write(sound)
    (waiting,) = await plain.read(pending_erase.all_pending)
    assert (waiting.id, waiting.what) == (id, what)
    await plain.write(pending_erase.undo, id)
    assert await plain.read(everything) == before
    await plain.write(sound)
    assert await plain.read(pending_erase.all_pending) == []


async def test_what_is_hidden_is_found_nowhere(plain: Store) -> None:
    await plain.write(life)
    await plain.write(pending_erase.hide, {"session": "first"}, 600, START)
    assert await plain.read(hidden("one"))
    near = await plain.read(
        turn_index.nearest_turns, vector_of("turnone"), 50, embedder="e", of="turn"
    )
    assert {session for session, _, _ in near} == {"second"}
    assert [each.id for each in await plain.read(history.sessions)] == ["second"]


@pytest.mark.parametrize("seed", range(12))
async def test_in_any_order_all_comes_back_and_what_goes_is_gone(plain: Store, seed: int) -> None:
    """Undoing everything, in whatever order, equals having done nothing."""
    chance = random.Random(seed)
    await plain.write(life)
    before = await plain.read(everything)
    ids: list[int] = []
    for what in chance.sample(WHATS, 4):
        try:
            ids.append(await plain.write(pending_erase.hide, what, 600, START))
        except InputError:
            continue  # another one has taken it along
        await plain.write(sound)
    while ids:
        await plain.write(pending_erase.undo, ids.pop(chance.randrange(len(ids))))
        await plain.write(sound)
        waiting = {each.id for each in await plain.read(pending_erase.all_pending)}
        ids = [id for id in ids if id in waiting]
    assert await plain.read(everything) == before


@pytest.mark.parametrize("way", ["due", "start", "another"])
async def test_what_is_not_undone_is_in_no_file(
    directory: Path, clock: ManualClock, way: str
) -> None:
    store = await Store.open(directory, PLAIN, clock)
    await store.write(life)
    await store.backup()
    id = await store.write(pending_erase.hide, {"turn": ["first", 1]}, 600, START)
    await store.write(pending_erase.hide, {"memory": 5}, 600, START)
    assert traces(directory, "one")
    if way == "due":
        await erase.erase_pending(store, [id])
        assert [each.what for each in await store.read(pending_erase.all_pending)] == [
            {"memory": 5}
        ]
    elif way == "another":
        await erase.erase_session(store, "first")
    else:
        await store.close()
        store = await Store.open(directory, PLAIN, clock)
        assert await store.read(pending_erase.all_pending) == []
        assert "store.db" in traces(directory, "five")  # it was said in a turn, too
    try:
        assert traces(directory, "one") == []
        await store.write(sound)
    finally:
        await store.close()
    assert "store.db" in traces(directory, "six")


@pytest.mark.parametrize(
    "point",
    [
        "hidden",
        "sweep:begun",
        "sweep:backups-gone",
        "sweep:rewritten",
        "sweep:emptied",
        "sweep:noted",
        "backup:copied",
        "backup:named",
    ],
)
async def test_killed_in_between_it_is_gone_at_the_next_start(
    directory: Path, clock: ManualClock, point: str
) -> None:
    store = await Store.open(directory, PLAIN, clock)
    await store.write(say, "s", "one", "two")
    await store.write(remember, "one", ("s", 1))
    await store.backup()
    await store.close()
    with process(hide_and_die, directory) as (child, pipe):
        pipe.send(f"{point}:kill")
        child.join()
        assert child.exitcode == -9
    store = await Store.open(directory, PLAIN, clock)
    try:
        assert traces(directory, "one") == []
        assert await store.read(pending_erase.all_pending) == []
        await store.write(sound)
        assert "store.db" in traces(directory, "two")
    finally:
        await store.close()


async def test_what_another_rests_on_does_not_come_back_with_it(plain: Store) -> None:
    """The memory quotes the turn; the turn goes for good while the memory waits; it is undone."""
    await plain.write(life)
    memory = await plain.write(pending_erase.hide, {"memory": 5}, 600, START)
    turn = await plain.write(pending_erase.hide, {"turn": ["first", 2]}, 600, START)
    await erase.erase_pending(plain, [turn])
    assert traces(plain.directory, "two") == ["store.db"]  # as memory 2 says
    with pytest.raises(InputError, match="cannot be undone any more"):
        await plain.write(pending_erase.undo, memory)
    assert traces(plain.directory, "five") == ["store.db"]  # said in the second talk
    assert await plain.read(memories.get, 5) is None


async def test_taken_back_by_the_child_it_is_not_brought_back_by_the_parent(plain: Store) -> None:
    await plain.write(life)
    memory = await plain.write(pending_erase.hide, {"memory": 5}, 600, START)
    await plain.write(withdrawal.withdraw, [("first", 2)])
    with pytest.raises(InputError, match="cannot be undone any more"):
        await plain.write(pending_erase.undo, memory)


async def test_a_hidden_talk_keeps_its_name_and_place(plain: Store) -> None:
    await plain.write(life)
    open_one = await plain.write(log.start_session, START)
    await plain.write(log.append, open_one, "user", "hello", START)
    id = await plain.write(pending_erase.hide, {"session": open_one}, 600, START)
    with pytest.raises(InputError, match="exists already"):
        await plain.write(log.start_session, START, open_one)
    other = await plain.write(log.start_session, START)
    assert other != open_one
    await plain.write(log.append, other, "user", "hello again", START)
    await plain.write(pending_erase.undo, id)
    held = await plain.read(history.sessions)
    assert [each.id for each in held] == ["first", "second", open_one, other]
    assert [each.ended is None for each in held] == [False, False, False, True]


async def test_a_turn_that_comes_back_after_the_night_is_learnt_from(plain: Store) -> None:
    await plain.write(say, "s", "one")
    await plain.write(intermediate.add_chunks, "s", [(1, 1)])
    await plain.write(lambda c: c.execute("DELETE FROM drafted_turns").get)
    assert await plain.read(pending.undrafted) == [("s", 1)]
    id = await plain.write(pending_erase.hide, {"turn": ["s", 1]}, 600, START)
    await plain.write(log.mark_consolidated, "s", START)
    await plain.write(pending_erase.undo, id)
    assert await plain.read(pending.undrafted) == [("s", 1)]


async def test_what_has_changed_meanwhile_stays_changed(plain: Store) -> None:
    """Memory 2 stood up again when 3 was hidden with its talk, and was used since."""
    await plain.write(life)
    id = await plain.write(pending_erase.hide, {"turn": ["second", 1]}, 600, START)
    stands = await plain.read(memories.get, 2)
    assert stands is not None
    assert stands.status == "active"
    await plain.write(memories.pin, 2, True)
    await plain.write(pending_erase.undo, id)
    again = await plain.read(memories.get, 2)
    assert again is not None
    assert (again.pinned, again.status, again.superseded_by) == (True, "superseded", 3)
    await plain.write(sound)


async def test_what_hangs_on_something_that_faded_for_good_meanwhile_stays_away(
    plain: Store,
) -> None:
    """Two memories of a hidden talk, one in the place of the other; what took theirs is gone."""
    await plain.write(say, "first", "one")
    await plain.write(say, "second", "two")
    chain = [
        await plain.write(remember, name, (session, 1))
        for name, session in (("three", "first"), ("four", "first"), ("five", "second"))
    ]
    for old, new in ((chain[0], chain[1]), (chain[1], chain[2])):
        await plain.write(memories.supersede, old, new)
    id = await plain.write(pending_erase.hide, {"session": "first"}, 600, START)
    await plain.write(memories.remove, chain[2])
    await plain.write(pending_erase.undo, id)
    assert await plain.read(memories.get_all, chain) == {}
    assert [each.id for each in await plain.read(history.sessions)] == ["first", "second"]
    await plain.write(sound)


async def test_it_is_due_in_lived_time(plain: Store, clock: ManualClock) -> None:
    await plain.write(life)
    await plain.write(pending_erase.hide, {"memory": 5}, 600, START)
    clock.advance(599)
    await plain.write(memories.touch, [], START)
    (waiting,) = await plain.read(pending_erase.all_pending)
    assert waiting.due_in_s == pytest.approx(1)
    clock.advance(2)
    await plain.write(memories.touch, [], START)
    assert (await plain.read(pending_erase.all_pending))[0].due_in_s == 0


async def test_everything_takes_what_is_hidden_along(plain: Store) -> None:
    await plain.write(life)
    await plain.write(pending_erase.hide, {"session": "first"}, 600, START)
    await erase.erase_all(plain)
    assert traces(plain.directory, *NAMES) == []
    assert await plain.read(pending_erase.all_pending) == []


async def test_what_is_not_there_is_not_hidden(plain: Store) -> None:
    await plain.write(life)
    before = await plain.read(everything)
    for what in ({"memory": 99}, {"turn": ["first", 9]}, {"session": "third"}, {"day": 1}):
        with pytest.raises(InputError):
            await plain.write(pending_erase.hide, what, 600, START)
    assert await plain.read(pending_erase.all_pending) == []
    assert await plain.read(everything) == before


async def test_a_step_that_fails_leaves_no_hook_behind(plain: Store) -> None:
    await plain.write(life)
    with pytest.raises(InputError):
        await plain.write(pending_erase.hide, {"memory": 99}, 600, START)
    await plain.write(memories.remove, 4)
    assert await plain.read(pending_erase.all_pending) == []


async def test_in_ram_nothing_is_erased_for_good(directory: Path, clock: ManualClock) -> None:
    store = await Store.in_ram(directory, PLAIN, clock, StoreFailing("the disk is gone"))
    try:
        with pytest.raises(StoreFailing, match="the disk is gone"):
            await erase.erase_pending(store, [])
    finally:
        await store.close()
