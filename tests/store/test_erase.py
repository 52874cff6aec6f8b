"""After an erase, the words and vectors are in no file. The stores here are plain: encryption
would hide a leak."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import apsw
import pytest

from companion.clock import ManualClock
from companion.errors import InputError, StoreError
from companion.records import BigFive, Personality, Source
from companion.store import (
    ballast,
    erase,
    history,
    intermediate,
    log,
    memories,
    profile,
    turn_index,
)
from companion.store.backup import all_in
from companion.store.database import Store
from companion.store.expiry import expire_turns
from companion.store.export import export

from .canaries import PLAIN, canary, remember, say, traces
from .child import erase_everything
from .conftest import START, files
from .processes import process


async def test_the_search_for_traces_finds_what_is_there(plain: Store) -> None:
    await plain.write(say, "s", "one")
    await plain.write(remember, "two", ("s", 1))
    assert "store.db-wal" in traces(plain.directory, "one")
    assert "store.db-wal" in traces(plain.directory, "two")


async def test_an_erased_memory_is_in_no_file(plain: Store) -> None:
    await plain.write(say, "s", "other")
    old = await plain.write(remember, "one", ("s", 1))
    new = await plain.write(remember, "two", ("s", 1))
    kept = await plain.write(remember, "three", ("s", 1))
    await plain.write(memories.supersede, old, new)
    await plain.backup()
    await erase.erase_memory(plain, new)
    assert traces(plain.directory, "one", "two") == []
    assert "store.db" in traces(plain.directory, "three")
    assert [m.id for m in await plain.read(memories.list_memories)] == [kept]
    assert await plain.read(memories.search, canary("three"), 5) != []


async def test_an_erased_turn_takes_what_rests_on_it_alone(plain: Store) -> None:
    await plain.write(say, "s", "one", "two")
    alone = await plain.write(remember, "one", ("s", 1))
    both = await plain.write(remember, "three", ("s", 1), ("s", 2))
    await plain.write(profile.note, "name", canary("one"), Source("s", 1, canary("one")), START)
    await erase.erase_turn(plain, "s", 1)
    assert traces(plain.directory, "one") == []
    assert await plain.read(memories.get, alone) is None
    shared = await plain.read(memories.get, both)
    assert shared is not None
    assert [source.turn for source in shared.sources] == [2]
    assert (await plain.read(profile.current)).name is None
    assert [turn.number for turn in await plain.read(history.turns, "s")] == [2]


async def test_a_turn_whose_words_have_expired_still_takes_its_quotes_along(
    plain: Store, clock: ManualClock
) -> None:
    await plain.write(say, "s", "one", "two")
    alone = await plain.write(remember, "one", ("s", 1))
    await plain.write(profile.note, "name", canary("one"), Source("s", 1, canary("one")), START)
    await plain.write(log.mark_consolidated, "s", START)
    clock.advance(86_400)
    assert await plain.write(expire_turns, 1) == 2
    await erase.erase_turn(plain, "s", 1)
    assert await plain.read(memories.get, alone) is None
    assert (await plain.read(profile.current)).name is None
    assert traces(plain.directory, "one") == []


async def test_what_an_erased_turn_had_replaced_stands_again(plain: Store) -> None:
    await plain.write(say, "s", "one", "two")
    old = await plain.write(remember, "one", ("s", 1))
    new = await plain.write(remember, "two", ("s", 2))
    await plain.write(memories.supersede, old, new)
    await erase.erase_turn(plain, "s", 2)
    assert [m.id for m in await plain.read(memories.list_memories)] == [old]
    assert traces(plain.directory, "two") == []
    assert await plain.read(memories.search, canary("one"), 5) != []


async def test_an_erased_personality_leaves_no_bytes(plain: Store) -> None:
    def draw(c: apsw.Connection) -> None:
        say(c, "s", "one")
        intermediate.add_chunks(c, "s", [(1, 1)])
        seen = intermediate.Evidence("s", 1, START, 3, canary("two"), BigFive(), (canary("three"),))
        intermediate.put_evidence(c, "s", 1, seen)
        profile.put_personality(c, Personality(canary("four")), START)

    await plain.write(draw)
    await plain.backup()
    assert "store.1.db" in traces(plain.directory, "two", "three", "four")
    await erase.erase_personality(plain)
    assert traces(plain.directory, "two", "three", "four") == []
    assert "store.db" in traces(plain.directory, "one")


async def test_an_erased_session_takes_its_summary_and_personality(plain: Store) -> None:
    def consolidate(c: apsw.Connection) -> None:
        say(c, "s", "one", "two")
        say(c, "t", "three")
        intermediate.add_chunks(c, "s", [(1, 1), (2, 2)])
        intermediate.put_summary(c, "s", 2, f"They spoke of {canary('one')}")
        seen = intermediate.Evidence("s", 1, START, 3, canary("one"), BigFive(), (canary("two"),))
        intermediate.put_evidence(c, "s", 1, seen)
        profile.put_personality(c, Personality(canary("one"), None, BigFive(), ()), START)
        remember(c, "one", ("s", 1))

    await plain.write(consolidate)
    await plain.backup()
    await erase.erase_session(plain, "s")
    assert traces(plain.directory, "one", "two") == []
    assert [session.id for session in await plain.read(history.sessions)] == ["t"]
    assert (await plain.read(profile.current)).personality == Personality()
    assert "store.db" in traces(plain.directory, "three")
    (fresh,) = all_in(plain.directory)
    assert fresh.name in traces(plain.directory, "three")


async def test_everything_can_be_erased_and_life_goes_on(plain: Store, clock: ManualClock) -> None:
    await plain.write(say, "s", "one", "two")
    old = await plain.write(remember, "one", ("s", 1))
    new = await plain.write(remember, "two", ("s", 2))
    await plain.write(memories.supersede, old, new)
    await plain.write(profile.put_personality, Personality(canary("one")), START)
    damaged = plain.directory / "store.db.corrupt.1"
    damaged.write_bytes(canary("one").encode())
    await plain.backup()
    await erase.erase_all(plain)
    assert traces(plain.directory, "one", "two") == []
    assert await plain.read(history.sessions) == []
    await plain.write(say, "s", "three")
    first = (await plain.read(history.turns, "s"))[0].user
    assert first is not None
    assert first.seq == 5
    assert await plain.read(turn_index.search_turns, canary("three"), 5) != []


async def test_a_full_disk_does_not_keep_anything_from_being_erased(plain: Store) -> None:
    await plain.write(say, "s", "one", "two")
    id = await plain.write(remember, "one", ("s", 1))

    def limit(c: apsw.Connection) -> None:
        c.pragma("max_page_count", 1)  # SQLite rounds this up to the present size

    await plain.maintain(limit)
    await erase.erase_memory(plain, id)
    await erase.erase_session(plain, "s")
    assert traces(plain.directory, "one", "two") == []


async def test_expired_turns_and_removed_memories_leave_the_database_by_themselves(
    plain: Store, clock: ManualClock
) -> None:
    names = [f"n{n}" for n in range(40)]

    def live(c: apsw.Connection) -> None:
        say(c, "s", *names)
        say(c, "t", "other")
        for name in ("other", *names):
            remember(c, name, ("s", 1))
        log.mark_consolidated(c, "s", START)

    def fade(c: apsw.Connection) -> None:
        expire_turns(c, 1)
        for memory in memories.list_memories(c)[1:]:
            memories.remove(c, memory.id)

    await plain.write(live)
    clock.advance(86_400)
    await plain.write(fade)
    await plain.close()
    assert traces(plain.directory, *names) == []
    assert "store.db" in traces(plain.directory, "other")


async def test_what_a_page_kept_of_cells_that_moved_is_swept(plain: Store) -> None:
    """secure_delete alone leaves a few words behind when rows come and go for long."""
    chance = random.Random(0)
    live: dict[int, str] = {}
    gone: list[str] = []

    def night(c: apsw.Connection, number: int) -> None:
        for n in range(60):
            name = f"{number}x{n}"
            text = f"{canary(name)} " * chance.randrange(1, 60)
            live[
                memories.add(c, text, kind="fact", sources=[], vector=None, embedder="e", now=START)
            ] = name
        for id in chance.sample(sorted(live), 40):
            memories.remove(c, id)
            gone.append(live.pop(id))

    for number in range(10):
        await plain.write(night, number)
    await erase.erase_memory(plain, min(live))
    everything = b"".join(files(plain.directory).values())
    assert [name for name in gone if canary(name).encode() in everything] == []
    assert canary(live[max(live)]).encode() in everything


async def test_what_is_not_there_cannot_be_erased(plain: Store) -> None:
    await plain.write(say, "s", "one")
    for attempt in (
        erase.erase_memory(plain, 9),
        erase.erase_session(plain, "t"),
        erase.erase_turn(plain, "s", 2),
    ):
        with pytest.raises(InputError, match="there is no"):
            await attempt


async def test_a_reader_that_holds_old_pages_is_named_and_the_next_start_finishes(
    plain: Store, clock: ManualClock
) -> None:
    await plain.write(say, "s", "one")
    await plain.backup()
    reader = apsw.Connection(str(plain.directory / "store.db"))
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM turns").get == 1

    def be_impatient(c: apsw.Connection) -> None:
        c.set_busy_timeout(50)

    await plain.maintain(be_impatient)
    with pytest.raises(StoreError, match="another process is reading"):
        await erase.erase_all(plain)
    reader.execute("COMMIT")
    await plain.close()
    again = await Store.open(plain.directory, PLAIN, clock)
    assert traces(plain.directory, "one") == []
    await again.close()
    reader.close()


async def test_an_erase_that_is_killed_is_whole_after_the_next_start(
    directory: Path, clock: ManualClock
) -> None:
    erased = 0
    for delay in (0, 0.01, 0.02, 0.04, 60):
        store = await Store.open(directory, PLAIN, clock)
        await store.write(say, f"session after {delay}", "one", "two")
        await store.backup()
        await store.close()
        with process(erase_everything, directory) as (child, pipe):
            assert pipe.recv() == "begun"
            pipe.poll(delay)  # "done", or the pipe's end
            child.kill()
            child.join()
        store = await Store.open(directory, PLAIN, clock)
        if not await store.read(history.sessions):
            erased += 1
            assert traces(directory, "one", "two") == []
        await store.close()
    assert erased


async def test_the_ballast_is_given_up_while_erasing_and_taken_again(plain: Store) -> None:
    await plain.write(say, "s", "one")
    path, there = plain.directory / "ballast", list[bool]()
    assert path.exists()
    write = plain.write

    async def seen(*args: Any, **kwargs: Any) -> Any:
        there.append(path.exists())
        return await write(*args, **kwargs)

    plain.write = seen  # type: ignore[method-assign]
    await erase.erase_session(plain, "s")
    assert there == [False]
    assert path.stat().st_size == ballast.BALLAST_BYTES


async def test_an_erased_memory_takes_the_draft_that_would_bring_it_back(plain: Store) -> None:
    await plain.write(say, "s", "one", "two")
    id = await plain.write(remember, "one", ("s", 1))
    await erase.erase_memory(plain, id)
    left = await plain.read(intermediate.drafts_of, "s")
    assert [draft.source.turn for draft in left] == [2]


async def test_memories_of_every_status_are_exported(plain: Store) -> None:
    await plain.write(say, "s", "one")
    ids = [await plain.write(remember, name, ("s", 1)) for name in ("one", "two", "three")]
    await plain.write(memories.archive, ids[0])
    await plain.write(memories.supersede, ids[1], ids[2])
    document = await plain.read(export)
    statuses = [each["status"] for each in document["memories"]]
    assert statuses == ["archived", "superseded", "active"]


async def test_what_a_cut_backup_left_behind_is_swept(plain: Store) -> None:
    await plain.write(say, "s", "one")
    folder = plain.directory / "backups"
    folder.mkdir()
    (folder / "unfinished-wal").write_text(canary("one"))
    await erase.erase_turn(plain, "s", 1)
    assert traces(plain.directory, "one") == []
