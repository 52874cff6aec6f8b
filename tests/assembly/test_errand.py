"""An errand borrows the dialog's model while nobody talks: whoever speaks comes first."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from companion.errors import EngineError
from tests.assembly.conftest import World, a_world


async def test_its_result_comes_back(world: World) -> None:
    async def work() -> str:
        return "plum"

    assert await world.phases.errand(work) == "plum"


async def test_who_speaks_is_not_kept_waiting(tmp_path: Path) -> None:
    async with a_world(tmp_path, inactivity_s=30) as world:
        begun, let_go = asyncio.Event(), asyncio.Event()

        async def work() -> str:
            begun.set()
            try:
                await asyncio.sleep(60)
            finally:
                await asyncio.sleep(0.05)  # it puts the state back
                let_go.set()
            return "too late"

        asked = asyncio.create_task(world.phases.errand(work))
        await begun.wait()
        result = await asyncio.wait_for(world.say("Hello."), 5)
        assert result.text
        assert let_go.is_set()
        assert await asked is None


async def test_a_query_in_the_middle_of_a_reply_waits_for_its_end(tmp_path: Path) -> None:
    async with a_world(tmp_path, inactivity_s=30, seconds_per_token=0.02) as world:
        done: list[str] = []

        async def work() -> None:
            done.append("errand")

        async def talk() -> None:
            await world.say("Hello.")
            done.append("reply")

        talking = asyncio.create_task(talk())
        await asyncio.sleep(0.05)
        await world.phases.errand(work)
        await talking
        assert done == ["reply", "errand"]


async def test_errands_that_wait_let_who_speaks_go_before_them(tmp_path: Path) -> None:
    async with a_world(tmp_path, inactivity_s=30) as world:
        begun = asyncio.Event()

        async def work() -> str:
            begun.set()
            await asyncio.sleep(60)
            return "too late"

        first = asyncio.create_task(world.phases.errand(work))
        await begun.wait()
        others = [asyncio.create_task(world.phases.errand(work)) for _ in range(50)]
        await asyncio.sleep(0)
        await asyncio.wait_for(world.say("Hello."), 5)
        assert await asyncio.wait_for(first, 5) is None
        for task in others:
            task.cancel()
        await asyncio.wait(others)
        assert (await world.say("And again.")).text


async def test_what_fails_in_it_is_told_to_who_asked(world: World) -> None:
    async def work() -> None:
        raise EngineError("gone")

    with pytest.raises(EngineError, match="gone"):
        await world.phases.errand(work)
    assert (await world.say("Hello.")).text


async def test_who_asked_and_left_leaves_nothing_running(world: World) -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    asked = asyncio.create_task(world.phases.errand(work))
    await asyncio.sleep(0.05)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert ended.is_set()


async def test_silence_goes_on_counting_meanwhile(tmp_path: Path) -> None:
    async def work() -> None:
        await asyncio.sleep(0.05)

    async with a_world(tmp_path, inactivity_s=0.5) as world:
        await world.say("My hamster is called Biscuit.")
        for _ in range(4):
            await world.phases.errand(work)
        await asyncio.wait_for(world.phases.rested(), 20)
        assert await world.sessions() == [(True, True)]
