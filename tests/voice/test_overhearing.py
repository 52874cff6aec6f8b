"""While others are listened to: words become blocks, no turns, unless it is called by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.assist.listening import Listening
from companion.clock import Clock
from companion.config import AssistSection
from companion.engines.sound.protocols import Transcript
from companion.safety.pattern_guard import PatternGuard
from companion.store import blocks
from tests.assembly.conftest import World
from tests.fakes import HashEmbedder
from tests.voice.a_voice import a_voice

SPAN = ((0.5, 3.0),)
LONG = "Bisi is a vet in Hull, and she has two parrots and a lame fox."


def listening(world: World, clock: Clock) -> Listening:
    on = Listening(world.store, HashEmbedder(), PatternGuard(), clock, AssistSection(listen=True))
    on.start(10)
    return on


async def test_others_are_overheard_and_not_answered(tmp_path: Path) -> None:
    async with a_voice(tmp_path, (LONG,), SPAN, overhears=listening) as voice:
        await voice.loop.run()
        assert voice.turns == []
        assert voice.unanswered == ["overheard"]
        assert await voice.stored() == []
        overheard = voice.loop.overheard
        assert isinstance(overheard, Listening)
        assert overheard.context.endswith("a lame fox.")
        await overheard.stop()
        assert [each.text for each in await voice.world.store.read(blocks.all_blocks)] == [LONG]


async def test_what_was_not_understood_is_not_kept(tmp_path: Path) -> None:
    heard = (Transcript("the boat of my was", 0.2, 0.1),)
    async with a_voice(tmp_path, heard, SPAN, overhears=listening) as voice:
        await voice.loop.run()
        assert voice.unanswered == ["unclear"]
        overheard = voice.loop.overheard
        assert isinstance(overheard, Listening)
        assert overheard.context == ""


async def test_called_by_name_it_answers(tmp_path: Path) -> None:
    heard = ("Hey Pip, tell me about whales.", LONG)
    async with a_voice(tmp_path, heard, ((0.5, 1.4), (9.0, 11.5)), overhears=listening) as voice:
        await voice.loop.run()
        assert [turn.heard for turn in voice.turns] == ["tell me about whales."]
        assert voice.unanswered == ["overheard"]  # and by name only: not for a while after it
        [turn] = await voice.stored()
        assert turn.user is not None


@pytest.mark.parametrize("start", ["open", "push-to-talk", "wake-phrase"])
async def test_the_lamp_shines_while_it_listens(tmp_path: Path, start: str) -> None:
    async with a_voice(tmp_path, (LONG,), SPAN, start=start, overhears=listening) as voice:
        await voice.loop.run()
        assert voice.loop.attention.live
        overheard = voice.loop.overheard
        assert isinstance(overheard, Listening)
        await overheard.stop()
        assert "vet" in str(await voice.world.store.read(blocks.all_blocks))
    assert voice.unanswered == ["overheard"]
