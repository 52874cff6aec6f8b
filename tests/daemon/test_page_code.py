"""The code for the first PIN: asked for with the toy's button, spoken, and good once."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Coroutine
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.assembly.companion import Companion
from companion.daemon.body import Body
from companion.daemon.page import NO_BUTTON, PAGE_IS_ON, PRESS, Page
from companion.errors import DaemonError
from companion.store import access
from companion.voice.turns.loop import VoiceLoop
from tests.voice.a_voice import START, Room, Voice, a_voice


class AButton:
    pressed = False

    def close(self) -> None:
        pass


class Toy:
    """A running daemon, as far as its page asks it."""

    def __init__(self, voice: Voice, *, speaks: bool = True) -> None:
        self.body = Body(lambda: "awake")
        self.voice: VoiceLoop | None = voice.loop if speaks else None
        self._store = voice.world.store
        self.tasks: list[asyncio.Task[None]] = []
        self.slept: list[asyncio.Future[None]] = []

    async def opened(self) -> Companion:
        companion: Any = SimpleNamespace(store=self._store)
        return companion  # type: ignore[no-any-return]

    def supervise(self, work: Coroutine[Any, Any, None]) -> object:
        self.tasks.append(asyncio.ensure_future(work))
        return self.tasks[-1]

    async def sleep(self, seconds: float) -> None:
        assert seconds == access.CODE_S
        self.slept.append(asyncio.get_running_loop().create_future())
        await self.slept[-1]


@asynccontextmanager
async def page_on(toy: Toy, page: Page) -> AsyncIterator[None]:
    async def follow() -> None:
        async with aclosing(page.shown()) as events:
            async for _ in events:
                pass

    following = asyncio.create_task(follow())
    try:
        yield
    finally:
        following.cancel()
        await asyncio.wait([following])
        for task in toy.tasks:
            task.cancel()
        for task in (done for done in toy.tasks if done.done() and not done.cancelled()):
            task.result()


def code_in(voice: Voice) -> str:
    """The last one that was spoken, digit by digit, twice."""
    said = re.findall(
        r"code for the page for parents is: ([^.]+)\. Once more: ([^.]+)\.", spoken(voice)
    )
    assert said, voice.mouth.texts
    assert said[-1][0] == said[-1][1]
    assert re.fullmatch(r"\d(, \d){5}", said[-1][0])
    return str(said[-1][0]).replace(", ", "")


def spoken(voice: Voice) -> str:
    return " ".join(voice.mouth.texts)


async def for_s(voice: Voice, seconds: float, *, pressed: tuple[float, float] = (0, 0)) -> None:
    """Let so much sound go by; the button is held in between."""
    voice.room.length_s = seconds
    button = voice.loop.button

    def press(room: Room) -> None:
        if button is not None:
            button._button.pressed = pressed[0] < room.now < pressed[1]  # type: ignore[misc]

    voice.room.on_frame = press
    await voice.loop.run()


async def test_held_for_five_seconds_the_toy_speaks_a_code_that_sets_a_pin_once(
    tmp_path: Path,
) -> None:
    async with a_voice(tmp_path, spans=(), button=AButton()) as voice:
        toy = Toy(voice)
        async with page_on(toy, Page(toy)):
            await for_s(voice, 30, pressed=(10, 16))
            store = voice.world.store
            assert f"{PAGE_IS_ON} {PRESS}" in spoken(voice)
            code = code_in(voice)
            assert await store.write(access.try_code, code, START) == "right"
            assert await store.write(access.try_code, code, START) == "none"
            assert voice.turns == []
            assert await voice.stored() == []


@pytest.mark.parametrize("pressed", [(10, 14.5), (10, 10.2)])
async def test_a_shorter_press_gives_no_code(tmp_path: Path, pressed: tuple[float, float]) -> None:
    async with a_voice(tmp_path, spans=(), button=AButton()) as voice:
        toy = Toy(voice)
        async with page_on(toy, Page(toy)):
            await for_s(voice, 25, pressed=pressed)
            assert "code" not in spoken(voice)


async def test_once_a_pin_is_set_the_button_gives_nothing_away(tmp_path: Path) -> None:
    async with a_voice(tmp_path, spans=(), button=AButton()) as voice:
        toy = Toy(voice)
        page = Page(toy)
        async with page_on(toy, page):
            await asyncio.sleep(0.05)
            await voice.world.store.write(access.put, b"salt", b"hash")  # before it is pressed
            await for_s(voice, 25, pressed=(10, 20))
            assert "code" not in spoken(voice)
            assert voice.loop.button is not None
            assert voice.loop.button.on_long is None, "and is for talking alone"


async def test_while_the_page_is_off_the_button_is_for_talking_alone(tmp_path: Path) -> None:
    async with a_voice(tmp_path, spans=(), button=AButton()) as voice:
        toy = Toy(voice)
        async with page_on(toy, Page(toy)):
            await for_s(voice, 8)
        assert voice.loop.button is not None
        assert voice.loop.button.on_long is None
    assert "code" not in spoken(voice)


async def test_without_a_button_it_says_once_that_nobody_can_come_in(tmp_path: Path) -> None:
    async with a_voice(tmp_path, spans=()) as voice:
        toy = Toy(voice)
        page = Page(toy)
        for _ in range(2):
            async with page_on(toy, page):
                await for_s(voice, voice.room.now + 15)
        assert voice.mouth.texts.count(PAGE_IS_ON) == 2
        assert voice.mouth.texts.count(NO_BUTTON) == 1


async def test_by_command_it_speaks_one_at_any_time(tmp_path: Path) -> None:
    async with a_voice(tmp_path, spans=()) as voice:
        toy = Toy(voice)
        store = voice.world.store
        await store.write(access.put, b"salt", b"hash")
        asking = asyncio.create_task(Page(toy).speak_code())
        await asyncio.sleep(0.05)
        await for_s(voice, 20)
        assert await asking == {"seconds": access.CODE_S}, "never the code itself"
        assert await store.write(access.try_code, code_in(voice), START) == "right"
        for task in toy.tasks:
            task.cancel()


async def test_a_code_ends_also_where_no_time_is_lived(tmp_path: Path) -> None:
    async with a_voice(tmp_path, spans=()) as voice:
        toy = Toy(voice)
        page, store = Page(toy), voice.world.store
        for _ in range(2):
            asking = asyncio.create_task(page.speak_code())
            await asyncio.sleep(0.05)
            await for_s(voice, voice.room.now + 20)
            await asking
        toy.slept[0].set_result(None)
        await toy.tasks[0]
        assert await store.write(access.try_code, "x", START) == "wrong", "the newer one is good"
        toy.slept[1].set_result(None)
        await toy.tasks[1]
        assert await store.write(access.try_code, code_in(voice), START) == "none"


async def test_a_toy_that_cannot_speak_gives_no_code(tmp_path: Path) -> None:
    async with a_voice(tmp_path, spans=()) as voice:
        toy = Toy(voice, speaks=False)
        with pytest.raises(DaemonError, match="companion web pin"):
            await Page(toy).speak_code()
        async with page_on(toy, Page(toy)):
            await asyncio.sleep(0.02)
            assert toy.body.page
