from __future__ import annotations

import asyncio
import gc
import os
import threading
from pathlib import Path

import apsw
import pytest

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.errors import StoreError
from companion.store import history, lived, log
from companion.store.database import Store

from .conftest import START


async def test_a_failing_step_leaves_nothing_behind(store: Store) -> None:
    def half_done(c: apsw.Connection) -> None:
        session = log.start_session(c, START)
        log.append(c, session, "user", "Hi", START)
        raise ValueError("the step failed")

    with pytest.raises(ValueError, match="the step failed"):
        await store.write(half_done)
    assert await store.read(history.sessions) == []


async def test_a_write_whose_awaiter_is_cancelled_takes_place_whole(store: Store) -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow(c: apsw.Connection) -> None:
        session = log.start_session(c, START, "slow")
        log.append(c, session, "user", "first", START)
        started.set()
        go_on.wait(10)
        log.append(c, session, "user", "second", START)

    running = asyncio.ensure_future(store.write(slow))
    queued = asyncio.ensure_future(store.write(log.append, "slow", "user", "third", START))
    await asyncio.to_thread(started.wait, 10)
    running.cancel()
    queued.cancel()
    go_on.set()
    outcomes = await asyncio.gather(running, queued, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [asyncio.CancelledError] * 2
    turns = await store.read(history.turns, "slow")
    assert [t.user and t.user.text for t in turns] == ["first", "second", "third"]


async def test_a_cancelled_write_that_fails_is_not_reported_as_forgotten(store: Store) -> None:
    reports: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reports.append(context))
    started, go_on = threading.Event(), threading.Event()

    def fails(c: apsw.Connection) -> None:
        started.set()
        go_on.wait(10)
        raise ValueError("nobody waits")

    running = asyncio.ensure_future(store.write(fails))
    await asyncio.to_thread(started.wait, 10)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    go_on.set()
    assert await store.read(history.sessions) == []
    gc.collect()
    assert reports == []


async def test_closing_finishes_what_was_begun(
    store: Store, directory: Path, clock: ManualClock
) -> None:
    await store.write(log.start_session, START, "s")
    writes = [
        asyncio.ensure_future(store.write(log.append, "s", "user", str(n), START))
        for n in range(20)
    ]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*writes)
    again = await Store.open(directory, StoreSection(), clock)
    assert len(await again.read(history.turns, "s")) == 20
    await again.close()


async def test_a_read_cannot_write(store: Store) -> None:
    with pytest.raises(StoreError, match="reading only"):
        await store.read(log.start_session, START)
    await store.write(log.start_session, START)


async def test_a_closed_store_says_so(store: Store) -> None:
    await store.close()
    await store.close()
    with pytest.raises(StoreError, match="closed"):
        await store.read(history.sessions)


async def test_a_full_disk_refuses_a_message_whole_and_works_again_with_room(
    store: Store,
) -> None:
    await store.write(log.start_session, START, "s")

    def limit(c: apsw.Connection, pages: int) -> None:
        c.pragma("max_page_count", pages)

    await store.maintain(limit, 1)  # SQLite rounds this up to the present size
    kept = 0

    async def fill() -> None:
        nonlocal kept
        for _ in range(100):
            await store.write(log.append, "s", "user", "word " * 300, START)
            kept += 1

    with pytest.raises(StoreError, match="memory is full"):
        await fill()
    assert len(await store.read(history.turns, "s")) == kept
    await store.maintain(limit, 100_000)
    await store.write(log.append, "s", "user", "room again", START)
    assert len(await store.read(history.turns, "s")) == kept + 1


async def test_a_reader_beside_an_owner_sees_its_commits_and_changes_nothing(
    store: Store, directory: Path, clock: ManualClock
) -> None:
    await store.write(log.start_session, START, "s")
    reader = await Store.open(directory, StoreSection(), clock, mode="reader")
    await store.write(log.append, "s", "user", "Hi", START)
    assert len(await reader.read(history.turns, "s")) == 1
    with pytest.raises(StoreError, match="reading only"):
        await reader.write(log.append, "s", "user", "no", START)
    with pytest.raises(StoreError, match="reading only"):
        await reader.read(log.append, "s", "user", "no", START)
    assert await reader.read(lived.now) == 0
    await reader.close()
    await store.write(log.append, "s", "assistant", "Hello", START)


async def test_a_reader_needs_a_store(tmp_path: Path, directory: Path, clock: ManualClock) -> None:
    with pytest.raises(StoreError, match="nothing has been stored yet"):
        await Store.open(directory, StoreSection(), clock, mode="reader")
    assert os.listdir(tmp_path) == []
