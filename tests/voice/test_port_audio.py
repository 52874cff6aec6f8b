"""The real PortAudio, over ALSA devices that are files (which run as fast as they are read)."""

from __future__ import annotations

import ctypes.util
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from companion.voice.devices.device_wire import FRAME_FROM_MICROPHONE, HEADER, Kind

pytestmark = pytest.mark.skipif(
    ctypes.util.find_library("portaudio") is None, reason="needs libportaudio2"
)


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment in which ALSA has one device: a recording, and a file to play into."""
    recording = np.full(16_000 * 60, 1234, "<i2")
    (tmp_path / "in.raw").write_bytes(recording.tobytes())
    (tmp_path / ".asoundrc").write_text(
        'pcm.!default { type plug slave.pcm "toy" }\n'
        f'pcm.toy {{ type file slave.pcm "null" file "{tmp_path}/out.raw" '
        f'infile "{tmp_path}/in.raw" format "raw" }}\n'
    )
    return {**os.environ, "HOME": str(tmp_path)}


def child(home: dict[str, str], *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "companion.voice.devices.device_child", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=home,
        cwd=Path(__file__).resolve().parent.parent.parent,
    )


def test_devices_are_listed(home: dict[str, str]) -> None:
    with child(home, "list") as process:
        assert process.stdout is not None
        found = json.loads(process.stdout.read())
    assert [device["name"] for device in found] == ["toy", "default"]
    assert [device["default_microphone"] for device in found] == [False, True]


def test_a_microphone_is_heard_until_its_parent_is_gone(home: dict[str, str]) -> None:
    with child(home, "microphone", "--device=default") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        kind, length, _ = HEADER.unpack(process.stdout.read(HEADER.size))
        assert (kind, process.stdout.read(length)[:8]) == (Kind.OPENED, b"default ")
        for _ in range(8):
            kind, length, _ = HEADER.unpack(process.stdout.read(HEADER.size))
            frame = np.frombuffer(process.stdout.read(length), np.int16)
            assert (kind, length) == (Kind.HEARD, FRAME_FROM_MICROPHONE)
        assert frame.any()
        process.stdin.close()
        process.stdout.close()
        assert process.wait(20) == 0


def test_a_device_that_is_not_there_is_named_with_those_that_are(home: dict[str, str]) -> None:
    with child(home, "speaker", "--device=violin") as process:
        assert process.stdout is not None
        kind, length, _ = HEADER.unpack(process.stdout.read(HEADER.size))
        why = process.stdout.read(length).decode()
    assert kind == Kind.FAILED
    assert why == "there is no speaker 'violin'; there are 'toy', 'default'"
    assert process.returncode == 1
