"""The echo canceller: the echo goes, the other voice stays, nothing clicks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import pytest_asyncio
import soxr
from pywebrtc_audio import AudioProcessor

from companion.engines.sound.piper import Piper
from companion.engines.sound.protocols import MIC_FRAME, MIC_RATE, SPEAKER_RATE, Samples
from companion.engines.sound.silero import Silero
from companion.engines.sound.webrtc_echo import DELAY, WebRtcEcho
from companion.engines.sound.whisper import Whisper
from tests.engines.test_whisper import words

pytestmark = pytest.mark.asyncio(loop_scope="module")

OURS = (
    "Whales are the largest animals of all. They sing under water. "
    "A song can be heard from very far away. Would you like to hear a story about one?"
)
THEIRS = "My dog is called Rex and he likes to swim in the lake."


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def voices(piper_dir: Path) -> tuple[Samples, Samples]:
    """What we say and what somebody else says, at MIC_RATE."""
    onnxruntime.set_seed(5)  # piper draws the small differences between two readings.
    voice = await Piper.load(piper_dir, name="joe", threads=1, speed=1.0)
    try:
        ours, theirs = [await voice.synthesize(text) for text in (OURS, THEIRS)]
    finally:
        await voice.close()
    return soxr.resample(ours, SPEAKER_RATE, MIC_RATE), soxr.resample(theirs, 24000, MIC_RATE)


def echo_of(sound: Samples, *, delay_ms: int = 60, gain_db: float = -12) -> Samples:
    """What the microphone hears of it: later, quieter, with a few reflections."""
    heard = np.zeros(len(sound))
    for later_ms, part in ((0, 1.0), (7, 0.4), (19, 0.25), (43, 0.1)):
        late = (delay_ms + later_ms) * MIC_RATE // 1000
        heard[late:] += part * sound[: len(sound) - late]
    return (heard * 10 ** (gain_db / 20)).clip(-32768, 32767).astype(np.int16)


def cleaned(canceller: WebRtcEcho, near: Samples, far: Samples) -> Samples:
    frames = range(0, len(near) - MIC_FRAME + 1, MIC_FRAME)
    return np.concatenate(
        [canceller.process(near[at : at + MIC_FRAME], far[at : at + MIC_FRAME]) for at in frames]
    )


def level_db(sound: Samples) -> float:
    return float(10 * np.log10(np.mean(sound.astype(float) ** 2) + 1e-9))


async def test_our_own_voice_is_taken_out(voices: tuple[Samples, Samples]) -> None:
    ours, _ = voices
    near = echo_of(ours)
    clean = cleaned(WebRtcEcho(), near, ours)
    settled = 2 * MIC_RATE  # It has learned the room by then.
    suppression = level_db(near[settled:]) - level_db(clean[settled:])
    assert suppression > 20  # 34 dB when it was written.
    detector = Silero()
    speech = [
        detector.probability(clean[at : at + MIC_FRAME])
        for at in range(settled, len(clean) - MIC_FRAME, MIC_FRAME)
    ]
    assert np.mean(np.array(speech) > 0.5) < 0.1


async def test_somebody_who_talks_over_us_is_understood(
    voices: tuple[Samples, Samples], whisper_dir: Path
) -> None:
    ours, theirs = voices
    start = 2 * MIC_RATE
    near = echo_of(ours).astype(int)
    near[start : start + len(theirs)] += theirs[: len(near) - start]
    clean = cleaned(WebRtcEcho(), near.clip(-32768, 32767).astype(np.int16), ours)
    ears = await Whisper.load(whisper_dir, name="tiny.en", threads=1)
    try:
        heard = await ears.transcribe(clean[start - MIC_RATE // 3 : start + len(theirs)])
    finally:
        await ears.close()
    missed = [word for word in words(THEIRS) if word not in words(heard.text)]
    assert len(missed) <= 4, heard  # AEC3 takes a little of the other voice along.


async def test_frames_come_out_as_one_stream_a_little_later() -> None:
    """Nothing is padded, lost or heard twice where a frame ends in the middle of a block."""
    random = np.random.default_rng(1)
    near, far = (random.normal(0, 3000, MIC_FRAME * 40).astype(np.int16) for _ in range(2))
    whole = AudioProcessor(sample_rate=MIC_RATE, echo_cancellation=True).process(near, far)
    clean = cleaned(WebRtcEcho(), near, far)
    assert not clean[:DELAY].any()
    np.testing.assert_array_equal(clean[DELAY:], whole[: len(clean) - DELAY])


async def test_forgetting_the_room_begins_anew(voices: tuple[Samples, Samples]) -> None:
    ours, _ = voices
    near = echo_of(ours)[: MIC_RATE * 2]
    canceller = WebRtcEcho()
    first = cleaned(canceller, near, ours)
    canceller.reset()
    np.testing.assert_array_equal(cleaned(canceller, near, ours), first)
