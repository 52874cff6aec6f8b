"""The requests `assist` and `listen`: through the socket's door, without a process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.assembly.companion import Companion
from companion.assembly.models import Models
from companion.assist.assistant import Assistant
from companion.assist.listening import ENDED, STARTED, Listening
from companion.clock import ManualClock
from companion.config import AssistSection
from companion.daemon.requests import Requests
from companion.errors import CompanionError, DaemonError, InputError
from companion.safety.pattern_guard import PatternGuard
from companion.store import blocks, log
from tests.assembly.conftest import World, a_world
from tests.fakes import HashEmbedder

START = datetime(2026, 10, 7, 16, 0, tzinfo=timezone.utc)


@dataclass
class Mouth:
    """A voice that notes what it says."""

    said: list[str] = field(default_factory=list)
    live: list[bool] = field(default_factory=list)
    attention: Any = field(default_factory=lambda: SimpleNamespace(paused=False))
    listening: Listening | None = None

    async def say(self, text: str) -> None:
        assert self.listening is not None
        self.live.append(self.listening.running)
        self.said.append(text)

    def pause(self) -> None:
        self.attention.paused = True


@dataclass
class Running:
    """A running daemon, as requests see it."""

    companion: Companion
    clock: ManualClock
    voice: Any
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def opened(self) -> Companion:
        return self.companion

    def supervise(self, work: Coroutine[Any, Any, None]) -> object:
        self.tasks.append(asyncio.create_task(work))
        return None

    async def sleep(self, seconds: float) -> None:
        await self.clock.sleep(seconds)

    async def asked(self, **request: Any) -> Any:
        [event] = [each async for each in Requests(self).answer(request)]  # type: ignore[arg-type]
        return event["done"]


def running(world: World, clock: ManualClock, section: AssistSection) -> Running:
    embedder, guard = HashEmbedder(), PatternGuard()
    listening = Listening(world.store, embedder, guard, clock, section)
    assistant = Assistant(world.model, embedder, world.store, guard, section)
    models = Models(world.model, world.model, embedder)
    companion = Companion(world.store, models, world.phases, assistant, listening)
    return Running(companion, clock, Mouth(listening=listening))


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with a_world(tmp_path, inactivity_s=600) as made:
        yield made


async def test_listening_is_refused_by_default(world: World) -> None:
    daemon = running(world, ManualClock(START), AssistSection())
    with pytest.raises(InputError, match=r"assist\.listen: true"):
        await daemon.asked(do="listen", minutes=10)
    assert daemon.voice.said == []


async def test_it_is_said_aloud_before_anybody_is_overheard_and_when_it_ends(world: World) -> None:
    clock = ManualClock(START)
    daemon = running(world, clock, AssistSection(listen=True))
    assert await daemon.asked(do="listen", minutes=2) == {"left_s": 120.0}
    assert (daemon.voice.said, daemon.voice.live) == ([STARTED], [False])
    await daemon.companion.listening.hear("Bisi is a vet in Hull.")
    await asyncio.sleep(0)
    clock.advance(120)
    await asyncio.wait_for(daemon.tasks[0], 5)
    assert daemon.voice.said == [STARTED, ENDED]
    [block] = await world.store.read(blocks.all_blocks)
    assert block.text == "Bisi is a vet in Hull."


async def test_stop_and_pause_end_it(world: World) -> None:
    daemon = running(world, ManualClock(START), AssistSection(listen=True))
    await daemon.asked(do="listen")
    assert await daemon.asked(do="listen", stop=True) == {"left_s": 0.0}
    await daemon.asked(do="listen")
    await daemon.asked(do="pause")
    assert not daemon.companion.listening.running
    with pytest.raises(DaemonError, match="resume"):
        await daemon.asked(do="listen")
    for task in daemon.tasks:
        task.cancel()


@pytest.mark.parametrize("minutes", [True, "ten", 1.5, 0, -3, 10**9])
async def test_a_span_that_is_none_is_refused(world: World, minutes: object) -> None:
    daemon = running(world, ManualClock(START), AssistSection(listen=True))
    with pytest.raises(InputError):
        await daemon.asked(do="listen", minutes=minutes)


async def test_without_ears_nothing_is_overheard(world: World) -> None:
    daemon = running(world, ManualClock(START), AssistSection(listen=True))
    daemon.voice = None
    with pytest.raises(DaemonError, match="neither hear nor speak"):
        await daemon.asked(do="listen")


async def test_what_was_told_is_whispered(world: World) -> None:
    daemon = running(world, ManualClock(START), AssistSection(by="cloze"))
    await world.store.write(blocks.add, "Wanda's cat is called Mr. Plum.", START)
    found = await daemon.asked(do="assist", query=None, context="I met Wanda. Her cat is called")
    assert (found["answer"], found["by"], found["sources"]) == ("Mr. Plum", "cloze", [{"block": 1}])
    assert found["inferred_query"] == "What is her cat called?"


async def test_without_a_context_it_is_what_was_said_last(world: World) -> None:
    daemon = running(world, ManualClock(START), AssistSection(by="cloze"))
    await world.store.write(blocks.add, "Wanda's cat is called Mr. Plum.", START)
    session = await world.store.write(log.start_session, START)
    await world.store.write(log.append, session, "user", "Wanda's cat is called", START)
    assert (await daemon.asked(do="assist", query=None, context=""))["answer"] == "Mr. Plum"


async def test_a_request_that_names_another_folder_or_user_reads_its_own(
    world: World, tmp_path: Path
) -> None:
    daemon = running(world, ManualClock(START), AssistSection(by="cloze"))
    await world.store.write(blocks.add, "Wanda's cat is called Mr. Plum.", START)
    tricks = {"user": "../other", "data_dir": str(tmp_path / "other"), "store": "/etc"}
    found = await daemon.asked(do="assist", query=None, context="Wanda's cat is called", **tricks)
    assert found["answer"] == "Mr. Plum"
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize(
    "request_",
    [{"query": 7}, {"query": ["x"]}, {"context": 7}, {"query": " "}, {"query": "x" * 999}],
)
async def test_what_is_no_request_is_refused(world: World, request_: dict[str, Any]) -> None:
    daemon = running(world, ManualClock(START), AssistSection())
    with pytest.raises(CompanionError):
        await daemon.asked(do="assist", **request_)
