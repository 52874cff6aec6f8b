from __future__ import annotations

import asyncio
import time
from datetime import datetime, timezone

from companion.clock import ManualClock
from companion.engines.sound.protocols import FRAME_S
from companion.voice.devices.pace import RealPace, SimulatedPace
from companion.voice.devices.work import Work


def a_clock() -> ManualClock:
    return ManualClock(datetime(2026, 5, 4, tzinfo=timezone.utc))


async def test_simulated_sound_stands_still_while_an_engine_works() -> None:
    work, clock = Work(), a_clock()
    pace = SimulatedPace(work, clock)
    order: list[str] = []

    async def compute() -> None:
        with work.under_way():
            await asyncio.sleep(0.05)
            order.append("computed")

    computing = asyncio.create_task(compute())
    await asyncio.sleep(0)
    await pace.tick()
    order.append("frame")
    await computing
    assert order == ["computed", "frame"]
    assert clock.monotonic() == FRAME_S
    assert pace.seconds() >= FRAME_S + 0.04


async def test_simulated_sound_waits_for_work_that_one_result_leads_to() -> None:
    work, clock = Work(), a_clock()
    pace = SimulatedPace(work, clock)
    chain: list[int] = []

    async def step(number: int) -> None:
        with work.under_way():
            await asyncio.sleep(0.005)
        chain.append(number)
        if number < 5:
            await asyncio.create_task(step(number + 1))

    first = asyncio.create_task(step(1))
    await pace.tick()
    assert chain == [1, 2, 3, 4, 5]
    await first


async def test_who_waits_for_sound_does_not_hold_it_up() -> None:
    work, clock = Work(), a_clock()
    pace = SimulatedPace(work, clock)
    played = asyncio.Event()

    async def speak() -> None:
        with work.under_way(), work.waiting():
            await played.wait()

    speaking = asyncio.create_task(speak())
    await asyncio.wait_for(pace.tick(), timeout=5)
    played.set()
    await speaking


async def test_simulated_sound_is_as_fast_as_the_machine_allows() -> None:
    pace = SimulatedPace(Work(), a_clock())
    started = time.perf_counter()
    for _ in range(1000):
        await pace.tick()
    assert time.perf_counter() - started < 1000 * FRAME_S / 2


async def test_real_sound_takes_its_time() -> None:
    pace = RealPace()
    started = time.perf_counter()
    for _ in range(5):
        await pace.tick()
    assert time.perf_counter() - started >= 5 * FRAME_S - 0.002
