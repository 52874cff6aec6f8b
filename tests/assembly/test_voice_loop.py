"""The voice loop over files: its devices, and what is missing of them."""

from __future__ import annotations

import wave
from dataclasses import replace
from datetime import datetime, timezone
from itertools import pairwise
from pathlib import Path

import pytest

from companion.assembly.missing import CANNOT_HEAR_OR_SPEAK, NO_BUTTON, NO_LAMP, NO_PAW, Fail, GoOn
from companion.assembly.voice import open_voice
from companion.assembly.voice_loop import open_devices, voice_loop
from companion.clock import ManualClock, SystemClock
from companion.config import Config
from companion.errors import SoundError
from companion.voice.devices.gpio import LogIndicator
from companion.voice.devices.pace import RealPace, SimulatedPace
from companion.voice.parts import Files, VoiceParts
from tests.assembly.conftest import a_world
from tests.fakes_voice import EnergyDetector, ScriptedTranscriber, ToneSynthesizer

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """A second of silence."""
    heard = tmp_path / "heard.wav"
    with wave.open(str(heard), "wb") as file:
        file.setparams((1, 2, 16_000, 16_000, "NONE", ""))
        file.writeframes(bytes(32_000))
    return Files(heard, tmp_path / "spoken.wav")


def voice_config(**section: object) -> Config:
    """A configuration that says only this of the voice."""
    return Config.model_validate({"voice": section})


async def test_a_button_and_a_lamp_that_are_not_there_stop_a_command(files: Files) -> None:
    without_button = voice_config(start="push-to-talk")
    with pytest.raises(SoundError, match=r"voice\.button"):
        async with open_devices(without_button, SystemClock(), files, Fail()):
            pass
    without_lamp = voice_config(indicator="nowhere")
    with pytest.raises(SoundError, match=r"voice\.indicator"):
        async with open_devices(without_lamp, SystemClock(), files, Fail()):
            pass
    async with open_devices(without_lamp, SystemClock(), files, Fail(), lamp=False) as devices:
        assert devices.lamp is None


async def test_the_daemon_names_them_and_hears_all_the_same(files: Files) -> None:
    config = voice_config(start="push-to-talk", indicator="nowhere")
    policy = GoOn()
    async with open_devices(config, SystemClock(), files, policy) as devices:
        assert devices.button is None
        assert isinstance(devices.lamp, LogIndicator)
    assert [missing.spoken for missing in policy.found] == [NO_LAMP, NO_BUTTON]


async def test_a_paw_and_an_earpiece_that_are_not_there_are_named(files: Files) -> None:
    config = voice_config(assist_button="nowhere")
    with pytest.raises(SoundError, match=r"voice\.assist_button: 'nowhere' is no GPIO line"):
        async with open_devices(config, SystemClock(), files, Fail()):
            pass
    policy = GoOn()
    async with open_devices(config, SystemClock(), files, policy) as devices:
        assert (devices.paw, devices.earpiece) == (None, None)
    assert [missing.spoken for missing in policy.found] == [NO_PAW]


async def test_the_paw_of_a_recording_is_pressed_in_its_time_and_whispers_into_a_file(
    files: Files, tmp_path: Path
) -> None:
    pressed = replace(files, paw=((0.1, 0.3), (0.6, 0.7)), whispered=tmp_path / "ear.wav")
    async with open_devices(voice_config(), ManualClock(NOON), pressed, Fail()) as devices:
        assert devices.paw is not None
        seen = []
        while await devices.source.capture() is not None:
            seen.append(devices.paw.pressed)
        changes = sum(a != b for a, b in pairwise([False, *seen]))
        assert changes == 4
        assert devices.earpiece is not None
    assert (tmp_path / "ear.wav").stat().st_size > 0


async def test_sound_moves_a_clock_that_moves_only_when_told(files: Files, tmp_path: Path) -> None:
    config, clock = voice_config(), ManualClock(NOON)
    parts = VoiceParts(ScriptedTranscriber(()), ToneSynthesizer(), EnergyDetector(), None)
    async with (
        a_world(tmp_path / "data", inactivity_s=600, clock=clock) as world,
        open_devices(config, clock, files, Fail()) as devices,
    ):
        assert isinstance(devices.pace, SimulatedPace)
        loop = voice_loop(config, devices, parts, world.phases)
        await loop.run()
        assert loop.frames > 30
    assert (clock.wall() - NOON).total_seconds() >= 1
    async with open_devices(config, SystemClock(), files, Fail()) as devices:
        assert isinstance(devices.pace, RealPace)


async def test_without_engines_there_is_no_loop_and_one_line_says_why(
    files: Files, tmp_path: Path
) -> None:
    config = Config.model_validate({"models_dir": tmp_path})
    policy = GoOn()
    async with a_world(tmp_path / "data") as world:
        opening = open_voice(config, SystemClock(), world.phases, files, policy)
        async with opening as loop:
            assert loop is None
    (missing,) = policy.found
    assert missing.spoken == CANNOT_HEAR_OR_SPEAK
    assert "speech to text" in missing.why
    assert "text to speech" in missing.why
