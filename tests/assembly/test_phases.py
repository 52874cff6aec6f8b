from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from statistics import median

import apsw
import pytest

from companion.clock import ManualClock, SystemClock
from companion.engines.protocols import ChatMessage
from companion.errors import EngineError
from tests.assembly.conftest import FACT, World, a_world, talks_and_learns


async def test_silence_ends_the_session_and_learns_from_it(world: World) -> None:
    await world.say("My hamster is called Biscuit.")
    assert await world.sessions() == [(False, False)]
    await world.phases.rested()
    assert await world.sessions() == [(True, True)]
    assert await world.remembered() == [FACT]
    assert [report.added for report in world.witness.reports] == [1]
    assert world.witness.steps


async def test_after_consolidation_the_first_words_find_their_prefix_in_the_cache(
    world: World,
) -> None:
    await world.say("My hamster is called Biscuit.")
    await world.phases.rested()
    result = await world.say("Hello again!")
    assert result.cached_tokens >= world.model.count(world.model.warmed[-1][:1]) - 1
    assert len(await world.sessions()) == 2


async def test_after_consolidation_the_prefix_is_put_back_and_not_read_again(world: World) -> None:
    """On two cores reading it takes twenty seconds, and whoever speaks then has to wait."""
    await world.say("My hamster is called Biscuit.")
    await world.phases.rested()
    assert world.witness.reports
    assert world.model.warming_cost[-1] <= 3


async def test_who_keeps_talking_keeps_the_session(tmp_path: Path) -> None:
    async with a_world(tmp_path, inactivity_s=0.4) as world:
        for _ in range(6):
            await world.say("And then?")
            await asyncio.sleep(0.1)
        assert await world.sessions() == [(False, False)]
        assert world.witness.reports == []


async def test_a_jump_of_the_wall_clock_ends_nothing(tmp_path: Path) -> None:
    class Jumping(SystemClock):
        jump = timedelta()

        def wall(self) -> datetime:
            return super().wall() + self.jump

    clock = Jumping()
    async with a_world(tmp_path, inactivity_s=30, clock=clock) as world:
        await world.say("Hello.")
        clock.jump = timedelta(days=3)
        await asyncio.sleep(0.05)
        assert await world.sessions() == [(False, False)]


async def test_sleep_now_needs_no_silence(tmp_path: Path) -> None:
    async with a_world(tmp_path, inactivity_s=3600) as world:
        await world.say("My hamster is called Biscuit.")
        await world.phases.sleep()
        await world.phases.rested()
        assert await world.remembered() == [FACT]


@pytest.mark.slow
async def test_whoever_speaks_interrupts_at_once_and_nothing_is_lost_or_doubled(
    tmp_path: Path,
) -> None:
    dice = random.Random(11)
    waits = []
    async with a_world(tmp_path, inactivity_s=3600, seconds_per_token=0.003) as world:
        for _ in range(3):
            await world.say("My hamster is called Biscuit.")
            await world.say("We saw the sea at the lighthouse, and I liked the gulls a lot.")
        for _ in range(50):
            await world.phases.sleep()
            await asyncio.sleep(dice.uniform(0, 0.12))
            began = time.monotonic()
            async with world.phases.awake():
                waits.append(time.monotonic() - began)
                assert not world.model.busy.locked()
        await world.phases.sleep()
        await world.phases.rested()
        assert await world.sessions() == [(True, True)]
        assert await world.remembered() == [FACT]
        assert world.witness.failures == []
    assert median(waits) <= 0.1


async def test_who_begins_to_speak_and_leaves_at_once_leaves_silence_behind(tmp_path: Path) -> None:
    """A client that goes while consolidation is giving way: the next silence goes on all the
    same."""
    drafting = asyncio.Event()

    def notices(messages: Sequence[ChatMessage]) -> str:
        if not messages[0].text.startswith("You are Pip"):
            drafting.set()
        return talks_and_learns(messages)

    async with a_world(tmp_path, inactivity_s=0.3, script=notices, seconds_per_token=0.02) as world:
        await world.say("My hamster is called Biscuit.")
        for rounds in (4, 3, 2, 1):
            drafting.clear()
            await world.phases.sleep()
            await drafting.wait()
            speaking = asyncio.create_task(world.say("Wait!"))
            for _ in range(rounds):
                await asyncio.sleep(0)
            speaking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await speaking
        for _ in range(600):  # Nobody says a word any more.
            if world.witness.reports:
                break
            await asyncio.sleep(0.05)
        assert await world.remembered() == [FACT]
        assert world.witness.failures == []


async def test_an_interrupted_consolidation_gives_the_dialogs_cache_back(tmp_path: Path) -> None:
    drafting = asyncio.Event()

    def notices(messages: Sequence[ChatMessage]) -> str:
        if not messages[0].text.startswith("You are Pip"):
            drafting.set()
        return talks_and_learns(messages)

    async with a_world(
        tmp_path, inactivity_s=3600, script=notices, seconds_per_token=0.02
    ) as world:
        before = await world.say("My hamster is called Biscuit.")
        await world.phases.sleep()
        await drafting.wait()
        after = await world.say("Wait, there is more!")
        assert world.witness.reports == []
        assert after.session != before.session
        assert after.evaluated_tokens <= len("Wait, there is more!".split()) + 3


async def test_nothing_is_learnt_while_a_mark_of_a_guard_may_be_missing(tmp_path: Path) -> None:
    grave = "I want to kill myself. " + "My hamster is called Biscuit. " * 300
    async with a_world(tmp_path, inactivity_s=600) as world:
        await world.say("Hello.")
        await world.store.maintain(limit_pages, full=True)
        await world.say(grave)
        await world.phases.sleep()
        await world.phases.rested()
        assert world.witness.reports == []
        await world.store.maintain(limit_pages, full=False)
        await world.phases.sleep()
        await world.phases.rested()
        assert len(world.witness.reports) == 1
        assert await world.remembered() == []


async def test_a_session_that_the_disk_would_not_end_is_ended_before_anything_is_learnt(
    tmp_path: Path,
) -> None:
    """Consolidation used to end it behind the dialog's back, which could say nothing afterwards."""
    async with a_world(tmp_path, inactivity_s=600) as world:
        await world.say("My hamster is called Biscuit.")
        await world.store.maintain(refuse_writes)
        await world.phases.sleep()
        await world.phases.rested()
        assert world.witness.reports == []
        await world.store.read(lambda c: None)
        await world.say("Hello again!")
        assert await world.sessions() == [(False, False)]
        await world.phases.sleep()
        await world.phases.rested()
        assert await world.remembered() == [FACT]
        await world.say("And again!")
        assert await world.sessions() == [(True, True), (False, False)]


def refuse_writes(c: apsw.Connection) -> None:
    """Until the next read, which lets the store write again."""
    c.pragma("query_only", True)


def limit_pages(c: apsw.Connection, *, full: bool) -> None:
    c.execute("VACUUM")
    c.pragma("max_page_count", c.pragma("page_count") if full else 1_000_000)


async def test_a_failure_in_silence_is_told_and_the_dialog_goes_on(tmp_path: Path) -> None:
    def fails(messages: Sequence[ChatMessage]) -> str:
        if not messages[0].text.startswith("You are Pip"):
            raise EngineError("the server has gone")
        return talks_and_learns(messages)

    async with a_world(tmp_path, script=fails) as world:
        await world.say("My hamster is called Biscuit.")
        await world.phases.rested()
        assert [str(error) for error in world.witness.failures] == ["the server has gone"]
        assert (await world.say("Are you there?")).text == "That is nice. Tell me more."


async def test_a_defect_in_silence_is_not_swallowed(tmp_path: Path) -> None:
    def breaks(messages: Sequence[ChatMessage]) -> str:
        if not messages[0].text.startswith("You are Pip"):
            raise ZeroDivisionError
        return talks_and_learns(messages)

    async with a_world(tmp_path, script=breaks) as world:
        await world.say("My hamster is called Biscuit.")
        with pytest.raises(ZeroDivisionError):
            await world.phases.rested()
        with pytest.raises(ZeroDivisionError):
            await world.say("Are you there?")


async def test_leaving_in_the_middle_of_consolidation_ends_the_session_for_next_time(
    tmp_path: Path,
) -> None:
    async with a_world(tmp_path, inactivity_s=3600, seconds_per_token=0.05) as world:
        await world.say("My hamster is called Biscuit.")
        await world.phases.sleep()
        await asyncio.sleep(0.05)
    async with a_world(tmp_path) as world:
        assert await world.sessions() == [(True, False)]
        await world.phases.rested()
        assert await world.remembered() == [FACT]


async def test_a_second_wish_to_stop_does_not_keep_the_session_open(tmp_path: Path) -> None:
    async with a_world(tmp_path, inactivity_s=3600) as world:
        for steps in range(1, 7):
            await world.say("Hello.")
            closing = asyncio.create_task(world.phases.close())
            for _ in range(steps):
                await asyncio.sleep(0)
            closing.cancel()
            await asyncio.wait([closing])
            assert await world.sessions() == [(True, False)] * steps


async def test_noise_neither_keeps_a_session_open_nor_learning_from_its_end(
    tmp_path: Path,
) -> None:
    async with a_world(tmp_path, inactivity_s=0.5, seconds_per_token=0.001) as world:
        await world.say("My hamster is called Biscuit.")
        started = time.monotonic()
        while not world.witness.reports and time.monotonic() - started < 30:
            async with world.phases.listening():
                pass
            await asyncio.sleep(0.2)
        assert await world.remembered() == [FACT]


async def test_two_that_speak_at_once_are_answered_one_after_the_other(tmp_path: Path) -> None:
    async with a_world(tmp_path, inactivity_s=30, seconds_per_token=0.002) as world:
        results = await asyncio.gather(world.say("Hello."), world.say("Hello, too."))
        assert sorted(result.turn or 0 for result in results) == [1, 2]


async def test_silence_is_counted_by_the_clock_that_is_given(tmp_path: Path) -> None:
    clock = ManualClock(datetime(2026, 5, 4, 9, 0, tzinfo=timezone.utc))
    async with a_world(tmp_path, inactivity_s=600, clock=clock) as world:
        await world.say("My hamster is called Biscuit.")
        for seconds in (599, 2):
            assert world.witness.reports == []
            await asyncio.sleep(0.05)
            clock.advance(seconds)
        await world.phases.rested()
        assert await world.remembered() == [FACT]
