"""What every engine for sound promises: the real ones on real weights, and the fakes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio

from companion.engines.sound.piper import Piper
from companion.engines.sound.protocols import (
    MIC_FRAME,
    MIC_RATE,
    SPEAKER_RATE,
    EchoCanceller,
    Synthesizer,
    Transcriber,
    VoiceDetector,
)
from companion.engines.sound.silero import Silero
from companion.engines.sound.webrtc_echo import WebRtcEcho
from companion.engines.sound.whisper import Whisper
from companion.errors import EngineError
from tests.fakes_voice import EnergyDetector, ScriptedTranscriber, ToneSynthesizer

pytestmark = pytest.mark.asyncio(loop_scope="module")

SILENCE = np.zeros(MIC_RATE, dtype=np.int16)
NOISE = np.random.default_rng(7).integers(-9000, 9000, 2 * MIC_RATE).astype(np.int16)


@pytest_asyncio.fixture(
    loop_scope="module",
    scope="module",
    params=["scripted", pytest.param("whisper", marks=pytest.mark.real)],
)
async def transcriber(request: pytest.FixtureRequest) -> AsyncIterator[Transcriber]:
    engine: Transcriber
    if request.param == "scripted":
        engine = ScriptedTranscriber(seconds=0.05)
    else:
        folder: Path = request.getfixturevalue("whisper_dir")
        engine = await Whisper.load(folder, name="whisper-tiny.en", threads=1)
    yield engine
    await engine.close()
    await engine.close()
    with pytest.raises(EngineError, match="closed"):
        await engine.transcribe(SILENCE)


@pytest_asyncio.fixture(
    loop_scope="module",
    scope="module",
    params=["tone", pytest.param("piper", marks=pytest.mark.real)],
)
async def synthesizer(request: pytest.FixtureRequest) -> AsyncIterator[Synthesizer]:
    engine: Synthesizer
    if request.param == "tone":
        engine = ToneSynthesizer(seconds=0.05)
    else:
        folder: Path = request.getfixturevalue("piper_dir")
        engine = await Piper.load(folder, name="piper-en-us-joe", threads=1, speed=1.0)
    yield engine
    await engine.close()
    await engine.close()
    with pytest.raises(EngineError, match="closed"):
        await engine.synthesize("Hello.")


async def test_a_transcriber_hears_no_speech_in_silence(transcriber: Transcriber) -> None:
    assert isinstance(transcriber, Transcriber)
    assert transcriber.name
    for silence in (SILENCE, SILENCE[:0], SILENCE[:1], SILENCE[:159]):
        heard = await transcriber.transcribe(silence)
        assert heard.no_speech > 0.8, heard


async def test_a_transcript_is_within_its_bounds(transcriber: Transcriber) -> None:
    for sound in (SILENCE, NOISE, np.full(MIC_RATE, -32768, dtype=np.int16)):
        heard = await transcriber.transcribe(sound)
        assert 0 <= heard.confidence <= 1
        assert 0 <= heard.no_speech <= 1
        assert heard.compression > 0
        assert heard.text == heard.text.strip()
        assert heard.text or heard.confidence == 0


async def test_who_stops_waiting_for_a_transcript_waits_for_the_engine(
    transcriber: Transcriber,
) -> None:
    running = asyncio.create_task(transcriber.transcribe(NOISE))
    await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    first, second = await asyncio.gather(
        transcriber.transcribe(SILENCE), transcriber.transcribe(SILENCE)
    )
    assert first == second


async def test_a_synthesizer_speaks_words_and_nothing_else(synthesizer: Synthesizer) -> None:
    assert isinstance(synthesizer, Synthesizer)
    assert synthesizer.name
    sound = await synthesizer.synthesize("Hello there, Mia.")
    assert sound.dtype == np.int16
    assert 0.4 * SPEAKER_RATE < len(sound) < 4 * SPEAKER_RATE
    assert np.abs(sound.astype(int)).max() > 3000
    for text in ("", " ", "...", "?!", "🐋", "—", "\n"):
        assert (await synthesizer.synthesize(text)).shape == (0,), text


async def test_longer_words_take_longer(synthesizer: Synthesizer) -> None:
    short = await synthesizer.synthesize("Yes.")
    long = await synthesizer.synthesize("Yes, and then the whale swam all the way home.")
    assert len(long) > 2 * len(short)


async def test_at_a_slower_pace_the_same_words_take_longer(synthesizer: Synthesizer) -> None:
    """Several times: how long a sentence takes varies by some percent."""
    text = "Yes, and then the whale swam all the way home."
    usual = [len(await synthesizer.synthesize(text)) for _ in range(4)]
    slow = [len(await synthesizer.synthesize(text, 0.9)) for _ in range(4)]
    assert 1.02 < sum(slow) / sum(usual) < 1.25


@pytest.mark.parametrize("text", ["a\x00b", "\ud800 a", "[[a]]", "[[ a", "<b>a</b> & 1", "Ünïcode"])
async def test_any_text_can_be_spoken(synthesizer: Synthesizer, text: str) -> None:
    assert len(await synthesizer.synthesize(text)) > 0


async def test_who_stops_waiting_for_sound_waits_for_the_engine(synthesizer: Synthesizer) -> None:
    running = asyncio.create_task(synthesizer.synthesize("Once there was a whale called Walter."))
    await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert len(await synthesizer.synthesize("Yes.")) > 0


@pytest.mark.parametrize("kind", [EnergyDetector, Silero])
async def test_a_detector_knows_silence_and_gives_probabilities(
    kind: type[EnergyDetector] | type[Silero],
) -> None:
    detector: VoiceDetector = kind()
    assert isinstance(detector, VoiceDetector)
    for start in range(0, MIC_RATE - MIC_FRAME, MIC_FRAME):
        assert 0 <= detector.probability(NOISE[start : start + MIC_FRAME]) <= 1
    detector.reset()
    for start in range(0, MIC_RATE - MIC_FRAME, MIC_FRAME):
        assert detector.probability(SILENCE[start : start + MIC_FRAME]) < 0.3


async def test_a_canceller_gives_a_frame_for_a_frame() -> None:
    canceller: EchoCanceller = WebRtcEcho()
    assert isinstance(canceller, EchoCanceller)
    for _ in range(12):
        clean = canceller.process(NOISE[:MIC_FRAME], SILENCE[:MIC_FRAME])
        assert clean.shape == (MIC_FRAME,)
        assert clean.dtype == np.int16
