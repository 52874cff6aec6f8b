"""Whisper on what piper says: the words, also in noise, and folders that are no model."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import pytest_asyncio
import soxr

from companion.engines.sound.piper import Piper
from companion.engines.sound.protocols import MIC_RATE, SPEAKER_RATE, Samples
from companion.engines.sound.whisper import Whisper
from companion.errors import ModelFileError

pytestmark = pytest.mark.asyncio(loop_scope="module")

SENTENCES = [
    "No.",
    "Good night.",
    "What do whales eat?",
    "My dog is called Rex and he likes to swim in the lake.",
]


CALL = "Hey Pip, tell me a story."
"""A name that the model does not know."""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def spoken(piper_dir: Path) -> dict[str, Samples]:
    """Each sentence at MIC_RATE, with the silence around it that an endpointer leaves."""
    onnxruntime.set_seed(5)  # piper draws the small differences between two readings.
    voice = await Piper.load(piper_dir, name="joe", threads=1, speed=1.0)
    try:
        return {text: _heard(await voice.synthesize(text)) for text in (*SENTENCES, CALL)}
    finally:
        await voice.close()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def whisper(whisper_dir: Path) -> Whisper:
    return await Whisper.load(whisper_dir, name="tiny.en", threads=1)


def _heard(sound: Samples) -> Samples:
    at_16k: Samples = soxr.resample(sound, SPEAKER_RATE, MIC_RATE)
    return np.pad(at_16k, (MIC_RATE * 3 // 10, MIC_RATE // 10))


def link_all_but(name: str, source: Path, target: Path) -> None:
    for file in source.iterdir():
        if file.is_file() and file.name != name:
            (target / file.name).symlink_to(file)


def words(text: str) -> list[str]:
    return re.findall(r"[a-z']+", text.lower())


@pytest.mark.parametrize("text", SENTENCES)
async def test_it_hears_what_was_said_once(
    whisper: Whisper, spoken: dict[str, Samples], text: str
) -> None:
    heard = await whisper.transcribe(spoken[text])
    assert words(heard.text) == words(text)
    assert heard.confidence > 0.45
    assert heard.no_speech < 0.4


async def test_a_name_it_is_told_of_is_written_right_and_never_made_up(
    whisper_dir: Path, spoken: dict[str, Samples]
) -> None:
    told = await Whisper.load(whisper_dir, name="tiny.en", threads=1, expects="Hey Pip.")
    try:
        assert words((await told.transcribe(spoken[CALL])).text)[:2] == ["hey", "pip"]
        for text in SENTENCES:
            assert words((await told.transcribe(spoken[text])).text) == words(text)
        silence = await told.transcribe(np.zeros(MIC_RATE, np.int16))
        assert silence.no_speech > 0.8 or not silence.text
    finally:
        await told.close()


async def test_words_survive_some_noise(whisper: Whisper, spoken: dict[str, Samples]) -> None:
    text = SENTENCES[-1]
    sound = spoken[text].astype(float)
    level = np.sqrt(np.mean(sound**2)) / 10**0.5
    noise = np.random.default_rng(3).normal(0, level, len(sound))
    heard = await whisper.transcribe((sound + noise).clip(-32768, 32767).astype(np.int16))
    missed = [word for word in words(text) if word not in words(heard.text)]
    assert len(missed) <= 3, heard


async def test_of_a_long_talk_it_hears_the_first_half_minute(
    whisper: Whisper, spoken: dict[str, Samples]
) -> None:
    piece = np.pad(spoken["What do whales eat?"], (0, MIC_RATE * 10))
    heard = await whisper.transcribe(np.concatenate([piece, np.tile(piece, 4)]))
    assert words(heard.text)[:4] == ["what", "do", "whales", "eat"]


@pytest.mark.parametrize("name", ["model.bin", "config.json", "tokenizer.json", "vocabulary.txt"])
async def test_a_missing_file_is_named(whisper_dir: Path, tmp_path: Path, name: str) -> None:
    link_all_but(name, whisper_dir, tmp_path)
    with pytest.raises(ModelFileError) as caught:
        await Whisper.load(tmp_path, name="whisper-tiny.en", threads=1)
    assert str(tmp_path / name) in str(caught.value)
    assert "companion models fetch whisper-tiny.en" in str(caught.value)


@pytest.mark.parametrize("name", ["model.bin", "tokenizer.json"])
async def test_a_cut_file_is_one_line(whisper_dir: Path, tmp_path: Path, name: str) -> None:
    link_all_but(name, whisper_dir, tmp_path)
    shutil.copy(whisper_dir / name, tmp_path / name)
    with (tmp_path / name).open("r+b") as stream:
        stream.truncate(100_000)
    with pytest.raises(ModelFileError, match="companion models fetch whisper-tiny") as caught:
        await Whisper.load(tmp_path, name="whisper-tiny.en", threads=1)
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)
