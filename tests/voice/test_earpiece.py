"""The second speaker as a process of its own, and as a file; the paw of a recording."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from companion.config import VoiceSection
from companion.engines.sound.protocols import FRAME_S, SPEAKER_FRAME, SPEAKER_RATE, Samples
from companion.voice.devices.earpiece import LiveEarpiece, TimedButton, WavEarpiece
from companion.voice.devices.wav_file import read_wav
from companion.voice.speech.playback import Playback
from companion.voice.speech.whisper import Whisper

FAKE = "tests.voice.fake_devices"
LOUD: Samples = np.full(SPEAKER_FRAME, 2000, np.int16)
QUIET: Samples = np.zeros(SPEAKER_FRAME, np.int16)


async def test_pulled_out_while_it_whispers_it_ends_and_comes_back(tmp_path: Path) -> None:
    plug = tmp_path / "speaker"
    plug.write_text(f"{SPEAKER_RATE} 1")
    earpiece = LiveEarpiece(str(tmp_path), backend=FAKE)
    await earpiece.start()
    try:
        assert earpiece.live, earpiece.trouble
        loop = asyncio.get_running_loop()
        whisper = Whisper(Playback(VoiceSection()), earpiece, loop.time)
        saying = asyncio.create_task(whisper.say(np.tile(LOUD, 600), "Mr. Plum"))
        frames = 0
        while not saying.done():
            assert not whisper.frame(QUIET, False).any(), "never aloud instead"
            frames += 1
            if frames == 40:
                plug.unlink()
            await asyncio.sleep(FRAME_S)
        assert await saying is False
        assert frames < 600
        assert "stopped" in earpiece.trouble or "no speaker" in earpiece.trouble
        played = np.frombuffer((tmp_path / "played").read_bytes(), np.int16)
        assert np.abs(played).max() == 2000
        plug.write_text(f"{SPEAKER_RATE} 1")
        for _ in range(400):
            if earpiece.live:
                break
            await asyncio.sleep(0.05)
        assert earpiece.live
    finally:
        await earpiece.close()
        await earpiece.close()


async def test_one_that_was_never_there_says_why(tmp_path: Path) -> None:
    earpiece = LiveEarpiece(str(tmp_path), backend=FAKE)
    await earpiece.start()
    try:
        assert not earpiece.live
        assert "there is no speaker" in earpiece.trouble
    finally:
        await earpiece.close()


async def test_a_file_takes_its_place_in_step(tmp_path: Path) -> None:
    file = tmp_path / "ear.wav"
    earpiece = WavEarpiece(file)
    for frame in (QUIET, LOUD, QUIET):
        earpiece.play(frame)
    await earpiece.close()
    earpiece.play(LOUD)
    await earpiece.close()
    sound = read_wav(file, SPEAKER_RATE)
    assert len(sound) == 3 * SPEAKER_FRAME
    assert sound[SPEAKER_FRAME] == 2000
    assert not sound[:SPEAKER_FRAME].any()


@pytest.mark.parametrize(
    ("now", "pressed"), [(0.9, False), (1.0, True), (1.9, True), (2.0, False), (5.1, True)]
)
def test_a_paw_that_is_pressed_by_a_timetable(now: float, pressed: bool) -> None:
    assert TimedButton([(1.0, 2.0), (5.0, 5.2)], lambda: now).pressed is pressed
