"""What every wake-word engine promises, and how one is named in the configuration."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from companion.engines.sound.protocols import MIC_FRAME, MIC_RATE, Samples, WakeWord
from companion.engines.sound.wake_word import load_wake_word
from companion.errors import EngineError, ModelFileError
from tests.fakes_voice import ClapWakeWord
from tests.voice.actors import Actors

CLAP = (30_000 * np.sin(np.arange(3 * MIC_FRAME) * 0.3)).astype(np.int16)
SILENCE = np.zeros(4 * MIC_RATE, np.int16)
NOISE = np.random.default_rng(7).normal(0, 3000, 4 * MIC_RATE).astype(np.int16)


class FailsAtOnce:
    def __init__(self, model: Path | None) -> None:
        raise RuntimeError("no such thing\nat all")


class FailsLater(ClapWakeWord):
    def score(self, frame: Samples) -> float:
        raise RuntimeError


def scores(engine: WakeWord, sound: Samples) -> list[float]:
    """One for each frame."""
    frames = len(sound) // MIC_FRAME
    return [engine.score(sound[n * MIC_FRAME :][:MIC_FRAME]) for n in range(frames)]


@pytest.fixture(scope="module")
def jarvis(piper_dir: Path) -> Samples:
    """The word that openWakeWord's model knows, after two seconds and before one."""
    said = Actors(piper_dir).speak("Hey Jarvis!")
    return np.pad(said, (2 * MIC_RATE, MIC_RATE))


@pytest.mark.parametrize("kind", ["clap", pytest.param("openwakeword", marks=pytest.mark.real)])
def test_a_wake_word_is_told_from_everything_else(
    kind: str, request: pytest.FixtureRequest
) -> None:
    if kind == "clap":
        engine, word = load_wake_word("tests.fakes_voice:ClapWakeWord", None), CLAP
    else:
        model: Path = request.getfixturevalue("wake_model")
        word = request.getfixturevalue("jarvis")
        engine = load_wake_word("companion.engines.sound.open_wake_word:OpenWakeWord", model)
    heard = scores(engine, word)
    assert max(heard) >= 0.5
    assert scores(engine, SILENCE)[-1] < 0.5
    engine.reset()
    assert scores(engine, word) == heard, "all of it was forgotten"
    engine.reset()
    for other in (SILENCE, NOISE):
        assert all(0 <= score < 0.5 for score in scores(engine, other))


def test_an_engine_is_given_the_model_of_the_configuration(tmp_path: Path) -> None:
    engine = ClapWakeWord(tmp_path)
    assert engine.model == tmp_path
    with pytest.raises(ModelFileError, match=str(tmp_path)):
        load_wake_word("companion.engines.sound.open_wake_word:OpenWakeWord", tmp_path / "hey.onnx")


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("nowhere.at.all:Engine", "ModuleNotFoundError: No module named 'nowhere'"),
        ("tests.fakes_voice:Nobody", "AttributeError"),
        ("tests.engines.test_wake_word:FailsAtOnce", "RuntimeError: no such thing"),
        ("tests.fakes_voice:ScriptedTranscriber", "has no score(frame) and reset()"),
    ],
)
def test_an_engine_that_cannot_be_had_is_one_line(place: str, why: str) -> None:
    with pytest.raises(EngineError, match=re.escape(why)) as told:
        load_wake_word(place, None)
    assert str(told.value).startswith(f"voice.wake_engine: {place}: ")
    assert "\n" not in str(told.value)


def test_a_failure_in_the_middle_has_our_name() -> None:
    engine = load_wake_word("tests.engines.test_wake_word:FailsLater", None)
    with pytest.raises(EngineError, match=r"test_wake_word:FailsLater: RuntimeError$"):
        engine.score(CLAP[:MIC_FRAME])
