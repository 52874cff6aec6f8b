"""What a configuration needs to be fetched."""

from __future__ import annotations

from pathlib import Path

from companion.config import Config
from companion.weights.manifest import Manifest
from companion.weights.needed import has_voice, needed


def names(config: Config, *, voice: bool | None) -> list[str]:
    return [entry.name for entry in needed(config, Manifest.load(), voice=voice)]


def test_one_who_only_writes_needs_no_models_for_sound() -> None:
    assert names(Config(), voice=False) == ["qwen2.5-1.5b", "minilm-int8"]


def test_one_who_speaks_needs_ears_and_a_voice() -> None:
    assert names(Config(), voice=True)[2:] == ["whisper-tiny.en", "piper-en-us-joe"]


def test_models_of_ones_own_are_not_fetched() -> None:
    own = {"stt": {"directory": Path("/ears")}, "tts": {"directory": Path("/voice")}}
    assert names(Config.model_validate(own), voice=True) == names(Config(), voice=False)


def test_what_is_installed_decides_when_nothing_is_said() -> None:
    assert names(Config(), voice=None) == names(Config(), voice=has_voice())
