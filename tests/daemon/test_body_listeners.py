"""Who follows a body: computed for listeners only, and nobody is waited for."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.clock import SystemClock
from companion.config import Config
from companion.daemon.body import MOST, Body
from companion.daemon.client import Client
from companion.daemon.control import Control
from companion.daemon.listeners import MOST_WAITING, Listener
from companion.daemon.parents import Parents
from companion.daemon.requests import Requests
from companion.errors import DaemonError
from tests.daemon.a_body import TONE, Following, reading, saying


async def test_nothing_is_computed_while_nobody_listens() -> None:
    asked = 0

    def resting() -> str:
        nonlocal asked
        asked += 1
        return "asleep"

    body, voice = Body(resting), Following()
    body.follow(voice)
    body.wrote("Hello!", "model")
    await asyncio.sleep(0.2)
    assert (voice.watcher, asked) == (None, 0)
    async with reading(body), reading(body):
        assert voice.watcher is body
    assert voice.watcher is None
    asked = 0
    await asyncio.sleep(0.2)
    assert asked == 0


async def test_a_voice_that_opens_later_is_followed() -> None:
    body, voice = Body(lambda: "starting"), Following()
    async with reading(body):
        body.follow(voice)
        assert voice.watcher is body


async def test_one_too_many_is_told_so() -> None:
    body = Body(lambda: "asleep")
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(MOST):
            await stack.enter_async_context(reading(body))
        with pytest.raises(DaemonError, match="listen already"):
            await anext(body.listen())


async def test_a_slow_listener_is_dropped_and_the_others_miss_nothing() -> None:
    body = Body(lambda: "awake")
    slow = body.listen()
    assert await anext(slow) == {"state": "awake"}
    async with reading(body) as reader:
        for number in range(MOST_WAITING + 5):
            body.frame(TONE, saying("La.", f"{number}"))
            body.frame(TONE, saying("La.", f"{number}"))
            await asyncio.sleep(0)
        with pytest.raises(DaemonError, match="too slow"):
            await anext(slow)
        words = [event["word"] for event in await reader.settled() if "loudness" in event]
        assert len(words) > MOST_WAITING
        assert len(body._listeners) == 1


async def test_a_listener_hears_everything_in_order() -> None:
    listener = Listener()
    for number in range(5):
        listener.tell({"n": number})
    assert [await listener.next(1) for _ in range(5)] == [{"n": number} for number in range(5)]
    assert await listener.next(0.01) is None


class Running:
    """Of a daemon, what the socket's requests need to follow it."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.voice = None
        self.parents = Parents(Config(), SystemClock())

    async def status(self) -> dict[str, Any]:
        return {}

    async def opened(self) -> Any:
        raise AssertionError("nobody chats here")


@asynccontextmanager
async def socket_of(body: Body, directory: Path) -> AsyncIterator[Client]:
    control = Control(directory / "s", directory, Requests(Running(body)).answer)
    await control.open()
    try:
        yield Client(directory / "s", 1)
    finally:
        await control.close()


async def until(true: Any, seconds: float = 10.0) -> None:
    for _ in range(int(seconds * 100)):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came true")


async def test_events_come_through_the_control_socket(tmp_path: Path) -> None:
    body = Body(lambda: "awake")
    async with socket_of(body, tmp_path) as client:
        async with aclosing(client.events("events")) as events:
            assert await anext(events) == {"state": "awake"}
            body.frame(TONE, saying("Hi there.", "Hi"))
            assert [await anext(events) for _ in range(2)] == [
                {"state": "speaking"},
                {"mood": "glad"},
            ]
        await until(lambda: not body._listeners)


async def test_a_reader_that_vanishes_is_forgotten(tmp_path: Path) -> None:
    body, voice = Body(lambda: "awake"), Following()
    body.follow(voice)
    async with socket_of(body, tmp_path) as client:
        events = client.events("events")
        await anext(events)
        assert voice.watcher is body
        await events.aclose()
        await until(lambda: voice.watcher is None)


async def test_a_reader_that_does_not_read_is_let_go_and_nothing_waits(tmp_path: Path) -> None:
    body, voice = Body(lambda: "awake"), Following()
    body.follow(voice)
    async with socket_of(body, tmp_path) as client:
        from companion.daemon.protocol import encode, short

        with short(client.path) as name:
            _, writer = await asyncio.open_unix_connection(name, limit=64)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(encode({"do": "events"}))
        await until(lambda: bool(body._listeners))
        longest = 0.0
        loop = asyncio.get_running_loop()
        for number in range(20_000):
            before = loop.time()
            body.frame(TONE, saying("La la la.", "la" * 200 + str(number)))
            longest = max(longest, loop.time() - before)
            if number % 10 == 0:
                await asyncio.sleep(0.001)
            if not body._listeners:
                break
        assert not body._listeners
        assert voice.watcher is None
        assert longest < 0.5, "a frame never waits for a reader"
        writer.transport.abort()


async def test_the_daemon_stops_while_somebody_listens(tmp_path: Path) -> None:
    body = Body(lambda: "awake")
    async with socket_of(body, tmp_path) as client:
        events = client.events("events")
        await anext(events)
    with pytest.raises(DaemonError, match="the daemon has gone"):
        await anext(events)
