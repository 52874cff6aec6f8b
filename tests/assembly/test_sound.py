"""The engines for sound from a configuration: what is there works, what is not is named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.assembly.sound import expected_words, open_sound_engines
from companion.config import Config
from companion.engines.sound.protocols import MIC_RATE
from companion.errors import EngineError

WITHOUT_THE_EXTRA = """
import asyncio, sys
for name in ("faster_whisper", "piper", "pywebrtc_audio"):
    sys.modules[name] = None  # As if it were not installed.
from companion.config import Config
from companion.assembly.sound import open_sound_engines

async def main():
    async with open_sound_engines(Config()) as parts:
        assert parts.transcriber is parts.synthesizer is parts.detector is parts.canceller is None
        print(*parts.missing, sep="\\n")

asyncio.run(main())
"""


async def test_every_part_is_loaded_and_closed(whisper_dir: Path, piper_dir: Path) -> None:
    assert whisper_dir.parent == piper_dir.parent
    async with open_sound_engines(Config(models_dir=piper_dir.parent)) as parts:
        assert parts.missing == ()
        assert parts.detector is not None
        assert parts.canceller is not None
        assert parts.transcriber is not None
        assert parts.synthesizer is not None
        sound = await parts.synthesizer.synthesize("Hello.")
        assert len(sound) > 0
    with pytest.raises(EngineError, match="closed"):
        await parts.transcriber.transcribe(sound[:MIC_RATE])


async def test_parts_without_models_are_named_and_the_rest_is_there(tmp_path: Path) -> None:
    config = Config.model_validate({"models_dir": tmp_path, "voice": {"echo": "half-duplex"}})
    async with open_sound_engines(config) as parts:
        assert parts.transcriber is None
        assert parts.synthesizer is None
        assert parts.detector is not None
        assert parts.canceller is None
    ears, mouth = parts.missing
    assert ears.startswith("speech to text: ")
    assert "companion models fetch whisper-tiny.en" in ears
    assert mouth.startswith("text to speech: ")
    assert "companion models fetch piper-en-us-joe" in mouth


async def test_a_model_of_ones_own_that_is_none_is_named(tmp_path: Path) -> None:
    own = {"stt": {"directory": tmp_path / "ears"}, "tts": {"directory": tmp_path / "voice"}}
    async with open_sound_engines(Config.model_validate(own)) as parts:
        pass
    assert str(tmp_path / "ears") in parts.missing[0]
    assert str(tmp_path / "voice") in parts.missing[1]


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ({}, ""),
        ({"start": "wake-phrase"}, "Hey Pip."),
        (
            {"start": "wake-phrase", "wake_phrases": ["hello robot", "Robbie"]},
            "Hello robot. Robbie.",
        ),
    ],
)
def test_the_transcriber_is_told_of_wake_phrases_only(
    section: dict[str, object], words: str
) -> None:
    assert expected_words(Config.model_validate({"voice": section})) == words


async def test_a_wake_word_engine_is_loaded_where_it_is_wanted_or_named(tmp_path: Path) -> None:
    nothing = {"models_dir": tmp_path}
    for start, place, found in (
        ("wake-phrase", "tests.fakes_voice:ClapWakeWord", True),
        ("wake-phrase", "tests.fakes_voice:Nobody", False),
        ("open", "tests.fakes_voice:ClapWakeWord", False),
    ):
        section = {"start": start, "wake_engine": place, "echo": "none"}
        config = Config.model_validate({**nothing, "voice": section})
        async with open_sound_engines(config) as parts:
            assert (parts.wake_word is not None) == found
            assert any("Nobody" in line for line in parts.missing) == place.endswith("Nobody")


def test_without_the_extra_each_part_names_the_command() -> None:
    result = subprocess.run(
        [sys.executable, "-c", WITHOUT_THE_EXTRA], capture_output=True, text=True, check=True
    )
    lines = result.stdout.splitlines()
    parts = ("speech to text", "text to speech", "voice detection", "echo cancellation")
    assert [line.partition(":")[0] for line in lines] == list(parts)
    assert all("is not installed: scripts/setup --voice" in line for line in lines)
