"""What is due is said although nobody speaks, once, also where the voice is broken."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from companion.assembly.announcing import announce
from companion.errors import EngineError
from companion.phases import Phases
from companion.store.timers import all_timers
from tests.dialog.talk import INACTIVITY_S, talking
from tests.skills.test_in_dialog import with_skills


class Nobody:
    def progress(self, progress: object) -> None: ...

    def finished(self, report: object) -> None: ...

    def failed(self, error: object) -> None: ...


@pytest.mark.parametrize("broken", [False, True])
async def test_a_reminder_is_said_once(tmp_path: Path, broken: bool) -> None:
    said: list[str] = []

    async def say(sentence: str) -> None:
        said.append(sentence)
        if broken:
            raise EngineError("no voice")

    async with talking(tmp_path) as talk:
        with_skills(talk)
        phases = Phases(talk.dialog, None, None, INACTIVITY_S, talk.clock, Nobody())
        await talk.say("remind me in ten minutes to feed the cat")
        task = asyncio.create_task(announce(phases, talk.clock, say))
        for seconds in (1, 598, 1, 1, 30, 30):
            for _ in range(50):
                await asyncio.sleep(0.002)
            talk.clock.advance(seconds)
        await asyncio.sleep(0.1)
        task.cancel()
        assert len(said) == 1
        assert said[0].endswith("feed the cat.")
        assert await talk.store.read(all_timers) == []
