"""Real processes around devices that are files: pulled out, put back, hanging, killed."""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest

from companion.config import VoiceSection
from companion.engines.sound.protocols import (
    FRAME_S,
    MIC_RATE,
    SPEAKER_FRAME,
    SPEAKER_RATE,
    Samples,
)
from companion.errors import SoundError
from companion.voice.devices.device_process import list_devices
from companion.voice.devices.live_sound import LiveSound
from tests.voice import fake_devices

FAKE = "tests.voice.fake_devices"
ROOT = Path(__file__).resolve().parent.parent.parent
BACK_WITHIN_S = 10.0
SLOW_MACHINE_S = 20.0


def plug(folder: Path, what: str, rate: int, channels: int = 1) -> None:
    """At once, as a device is there or is not."""
    (folder / "new").write_text(f"{rate} {channels}")
    (folder / "new").rename(folder / what)


def unplug(folder: Path, what: str) -> None:
    (folder / what).unlink()


def pid_of(folder: Path, what: str) -> int:
    return int((folder / f"{what}.pid").read_text())


def runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


class Listener:
    """Plays the part of the loop: hears and plays a tone, frame for frame."""

    def __init__(self, sound: LiveSound) -> None:
        self.sound = sound
        self.heard: list[Samples] = []

    async def run(self) -> None:
        place = np.arange(SPEAKER_FRAME * 8) / SPEAKER_RATE  # 8 frames: whole waves of 500 Hz
        tone = np.rint(np.sin(2 * np.pi * 500 * place) * 8000).astype(np.int16)
        frames = tone.reshape(8, SPEAKER_FRAME)
        while (frame := await self.sound.capture()) is not None:
            self.heard.append(frame)
            self.sound.play(frames[len(self.heard) % 8])

    async def until(self, true: Callable[[], bool], within: float = SLOW_MACHINE_S) -> float:
        """Seconds until it is so."""
        began = time.monotonic()
        while not true():
            assert time.monotonic() - began < within, self.sound.state
            await asyncio.sleep(0.02)
        return time.monotonic() - began

    def loud(self) -> bool:
        """The last frame held the microphone's tone."""
        return bool(self.heard) and int(np.abs(self.heard[-1]).max()) > 5000


@asynccontextmanager
async def listening(folder: Path) -> AsyncIterator[Listener]:
    section = VoiceSection(microphone=str(folder), speaker=str(folder))
    listener = Listener(LiveSound(section, backend=FAKE))
    task: asyncio.Task[None] | None = None
    try:
        await listener.sound.start()
        task = asyncio.create_task(listener.run())
        yield listener
    finally:
        await listener.sound.close()
        if task is not None:
            await task  # it ends by itself: hear() gives None


def hertz(sound: Samples, rate: int) -> float:
    spectrum = np.abs(np.fft.rfft(sound * np.hanning(len(sound))))
    return float(np.argmax(spectrum) * rate / len(sound))


def played(folder: Path, channels: int) -> Samples:
    content = (folder / "played").read_bytes()
    size = 2 * channels
    return np.frombuffer(content[: len(content) // size * size], np.int16)[::channels]


@pytest.mark.parametrize(
    ("microphone", "speaker"),
    [((16_000, 1), (24_000, 1)), ((44_100, 2), (48_000, 2)), ((48_000, 6), (44_100, 1))],
)
async def test_other_rates_and_channels_are_made_to_fit(
    tmp_path: Path, microphone: tuple[int, int], speaker: tuple[int, int]
) -> None:
    plug(tmp_path, "microphone", *microphone)
    plug(tmp_path, "speaker", *speaker)
    async with listening(tmp_path) as listener:
        await listener.until(listener.loud)
        first = len(listener.heard)
        await listener.until(lambda: len(listener.heard) > first + 40)
        state = listener.sound.state
    assert state.microphone
    assert state.speaker
    assert str(microphone[0]) in state.names[0]
    assert hertz(np.concatenate(listener.heard[-32:]), MIC_RATE) == pytest.approx(440, abs=4)
    sound = played(tmp_path, speaker[1])
    assert hertz(sound[-speaker[0] // 2 :], speaker[0]) == pytest.approx(500, abs=6)


async def test_while_no_process_can_be_started_it_is_tried_again(tmp_path: Path) -> None:
    plug(tmp_path, "microphone", 16_000)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")), hard))
    try:
        sound = LiveSound(VoiceSection(microphone=str(tmp_path)), backend=FAKE)
        await asyncio.wait_for(sound.start(), SLOW_MACHINE_S)
        troubles = sound.troubles
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert "no microphone: the sound process cannot be started: Too many open files" in troubles
    try:
        listener = Listener(sound)
        task = asyncio.create_task(listener.run())
        await listener.until(listener.loud)
    finally:
        await sound.close()
    await task


async def test_a_microphone_that_is_pulled_out_comes_back_and_the_speaker_never_stops(
    tmp_path: Path,
) -> None:
    plug(tmp_path, "microphone", 16_000)
    plug(tmp_path, "speaker", 24_000)
    async with listening(tmp_path) as listener:
        await listener.until(listener.loud)
        speaker = pid_of(tmp_path, "speaker")
        unplug(tmp_path, "microphone")
        await listener.until(lambda: not listener.sound.state.microphone)
        assert listener.sound.state.speaker
        frames, before = len(listener.heard), time.monotonic()
        await asyncio.sleep(1)
        passed = time.monotonic() - before
        assert len(listener.heard) - frames == pytest.approx(passed / FRAME_S, abs=12)
        assert not listener.loud()
        assert listener.sound.troubles[0].startswith("no microphone: ")
        plug(tmp_path, "microphone", 48_000, 2)
        await listener.until(listener.loud, BACK_WITHIN_S)
        assert listener.sound.state.restarts == 1
        assert listener.sound.troubles == ()
        assert pid_of(tmp_path, "speaker") == speaker
        assert runs(speaker)


@pytest.mark.slow
async def test_a_speaker_that_is_pulled_out_comes_back_and_the_microphone_never_stops(
    tmp_path: Path,
) -> None:
    plug(tmp_path, "microphone", 16_000)
    plug(tmp_path, "speaker", 24_000)
    async with listening(tmp_path) as listener:
        await listener.until(listener.loud)
        unplug(tmp_path, "speaker")
        await listener.until(lambda: not listener.sound.state.speaker)
        assert listener.loud()
        before = len(played(tmp_path, 1))
        plug(tmp_path, "speaker", 24_000)
        await listener.until(lambda: listener.sound.state.speaker, BACK_WITHIN_S)
        await listener.until(lambda: len(played(tmp_path, 1)) > before + SPEAKER_RATE)
    assert hertz(played(tmp_path, 1)[-12_000:], SPEAKER_RATE) == pytest.approx(500, abs=6)


@pytest.mark.slow
async def test_a_microphone_that_hangs_is_killed_and_started_again(tmp_path: Path) -> None:
    plug(tmp_path, "microphone", 16_000)
    async with listening(tmp_path) as listener:
        await listener.until(listener.loud)
        hanging = pid_of(tmp_path, "microphone")
        (tmp_path / "hang").touch()
        await listener.until(lambda: not listener.sound.state.microphone, BACK_WITHIN_S)
        (tmp_path / "hang").unlink()
        await listener.until(listener.loud, BACK_WITHIN_S)
        assert not runs(hanging)
        assert "there is no speaker" in listener.sound.troubles[0]


@pytest.mark.parametrize("what", ["microphone", "speaker"])
async def test_a_killed_process_is_replaced(tmp_path: Path, what: str) -> None:
    plug(tmp_path, "microphone", 16_000)
    plug(tmp_path, "speaker", 24_000)
    async with listening(tmp_path) as listener:
        first = pid_of(tmp_path, what)
        os.kill(first, signal.SIGKILL)
        await listener.until(lambda: pid_of(tmp_path, what) != first, BACK_WITHIN_S)
        await listener.until(lambda: listener.sound.state.restarts == 1)
        state = listener.sound.state
        assert (state.microphone, state.speaker) == (True, True)


async def test_no_process_is_left_and_none_is_in_reach_of_ctrl_c(tmp_path: Path) -> None:
    plug(tmp_path, "microphone", 16_000)
    plug(tmp_path, "speaker", 24_000)
    async with listening(tmp_path) as listener:
        pids = [pid_of(tmp_path, "microphone"), pid_of(tmp_path, "speaker")]
        assert all(os.getsid(pid) == pid for pid in pids)
        await listener.sound.close()
        assert await listener.sound.capture() is None
    assert not any(map(runs, pids))


def test_when_the_program_is_killed_its_sound_processes_end(tmp_path: Path) -> None:
    plug(tmp_path, "microphone", 16_000)
    plug(tmp_path, "speaker", 24_000)
    program = (
        "import asyncio\n"
        "from companion.config import VoiceSection\n"
        "from companion.voice.devices.live_sound import LiveSound\n"
        "async def main():\n"
        f"    section = VoiceSection(microphone={str(tmp_path)!r}, speaker={str(tmp_path)!r})\n"
        f"    sound = LiveSound(section, backend={FAKE!r})\n"
        "    await sound.start()\n"
        "    print('started', flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=ROOT
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"started\n"
        pids = [pid_of(tmp_path, "microphone"), pid_of(tmp_path, "speaker")]
        assert all(map(runs, pids))
        parent.kill()
    deadline = time.monotonic() + SLOW_MACHINE_S
    while any(map(runs, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(runs, pids))


@pytest.mark.slow
async def test_what_nobody_takes_in_time_is_dropped_and_counted(tmp_path: Path) -> None:
    plug(tmp_path, "microphone", 16_000)
    section = VoiceSection(microphone=str(tmp_path), speaker=str(tmp_path))
    sound = LiveSound(section, backend=FAKE)
    try:
        await sound.start()
        await asyncio.sleep(3)
        assert sound.state.overruns > 5
        began, frames = time.monotonic(), 0
        while time.monotonic() - began < 0.01:  # what waits comes at once
            await sound.capture()
            frames += 1
        assert frames >= 10
    finally:
        await sound.close()


@pytest.mark.slow
async def test_a_loop_that_was_held_up_is_not_the_fault_of_its_devices(tmp_path: Path) -> None:
    plug(tmp_path, "microphone", 16_000)
    plug(tmp_path, "speaker", 24_000)
    async with listening(tmp_path) as listener:
        await listener.until(listener.loud)
        time.sleep(3)  # noqa: ASYNC251 - this is the point
        await asyncio.sleep(0.5)
        assert listener.loud()
        state = listener.sound.state
        assert state.restarts == 0
        assert state.underruns > 30
        assert (state.microphone, state.speaker) == (True, True)


@pytest.mark.slow
async def test_a_backend_that_cannot_be_loaded_is_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    sound = LiveSound(VoiceSection(), backend="tests.voice.no_such_backend")
    try:
        state = await sound.start()
        assert (state.microphone, state.speaker) == (False, False)
        assert all("no_such_backend" in trouble for trouble in sound.troubles)
        await asyncio.sleep(2.5)  # a second attempt at least
    finally:
        await sound.close()
    lines = [record for record in caplog.records if "no microphone" in record.getMessage()]
    assert len(lines) == 1


async def test_devices_are_listed_by_a_process_of_its_own() -> None:
    assert await list_devices(backend=FAKE) == fake_devices.devices()
    with pytest.raises(SoundError, match="no_such_backend"):
        await list_devices(backend="tests.voice.no_such_backend")


def test_a_sound_process_starts_without_the_heavy_parts() -> None:
    program = (
        "import sys, companion.voice.devices.device_child; "
        "print([m for m in ('pydantic', 'asyncio', 'soxr', 'onnxruntime', 'apsw', 'yaml')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout == "[]\n"
