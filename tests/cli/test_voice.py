"""`companion voice`: a recording in, a recording and figures out."""

from __future__ import annotations

import json
import subprocess
import sys
import wave
from pathlib import Path

import numpy as np
import pytest
import soxr

from companion.cli import main
from companion.engines.sound.piper import Piper
from companion.engines.sound.protocols import SPEAKER_RATE
from companion.voice.turns.report import STAGES
from tests.cli.conftest import Program


@pytest.mark.real
async def test_a_recording_is_answered_and_every_stage_is_timed(
    program: Program, tmp_path: Path, piper_dir: Path
) -> None:
    piper = await Piper.load(piper_dir, name="joe", threads=1, speed=1.0)
    try:
        said = await piper.synthesize("I think we should talk about red birds in gardens.")
    finally:
        await piper.close()
    heard = soxr.resample(said, SPEAKER_RATE, 44_100).astype(np.int16)
    with wave.open(str(tmp_path / "in.wav"), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(44_100)
        quiet = np.zeros(44_100, np.int16)
        mono = np.concatenate((quiet, heard, quiet))
        file.writeframes(np.repeat(mono, 2).tobytes())
    with program.config.open("a") as settings:  # it is the model's reply that is timed
        settings.write("repertoire: {enabled: false}\n")
    played = tmp_path / "out.wav"
    done = program.run("voice", "--in", str(tmp_path / "in.wav"), "--out", str(played), "--json")
    assert done.returncode == 0, done.stderr
    (turn,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert "bird" in turn["heard"].lower()
    assert turn["said"]
    assert not turn["cut"]
    moments = [turn[f"{stage}_ms"] for stage in STAGES]
    assert None not in moments
    assert turn["endpoint_ms"] >= 400
    assert turn["first_token_ms"] <= turn["first_clause_ms"] <= turn["first_sound_ms"]
    with wave.open(str(played)) as file:
        assert file.getframerate() == SPEAKER_RATE
        sound = np.frombuffer(file.readframes(1 << 24), np.int16)
    assert np.abs(sound.astype(np.int32)).max() > 1000
    assert len(sound) / SPEAKER_RATE >= len(mono) / 44_100
    assert len(sound) / SPEAKER_RATE - len(mono) / 44_100 < 60


@pytest.mark.parametrize("content", [None, b"", b"RIFF....WAVEfmt ", b"\x00" * 4000])
def test_a_file_that_is_no_recording_is_named(
    program: Program, tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "broken.wav"
    if content is not None:
        file.write_bytes(content)
    done = program.run("voice", "--in", str(file))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert str(file) in done.stderr


@pytest.mark.slow
def test_push_to_talk_needs_somebody_who_presses(program: Program, tmp_path: Path) -> None:
    with program.config.open("a") as config:
        config.write("voice: {start: push-to-talk, button: key}\n")
    with wave.open(str(tmp_path / "in.wav"), "wb") as file:
        file.setparams((1, 2, 16_000, 16_000, "NONE", ""))
        file.writeframes(bytes(32_000))
    words = ("voice", "--in", str(tmp_path / "in.wav"))
    assert program.run(*words).returncode == 2
    done = program.run(*words, "--pace", "real")
    assert done.returncode == 1
    assert done.stderr.startswith("companion: voice.button: key is pressed in a terminal")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("spans", ["", "x", "3", "5-3", "-1-2", "1-2,", "nan-inf"])
def test_spans_of_the_paw_that_are_none_are_refused(
    spans: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["voice", "--in", "in.wav", f"--paw={spans}"])
    assert refused.value.code == 2
    assert "--paw" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["voice", "run"])
def test_a_recording_is_not_written_over(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = tmp_path / "in.wav"
    recording.write_bytes(b"RIFF")
    (tmp_path / "same.wav").symlink_to(recording)
    words = [command, "--in", str(recording), "--out", str(tmp_path / "same.wav")]
    assert main(["--data-dir", str(tmp_path / "data"), *words]) == 2
    assert "name another file" in capsys.readouterr().err
    assert recording.read_bytes() == b"RIFF"


WITHOUT_LIBRARIES = """
import sys
for name in ("faster_whisper", "piper", "pywebrtc_audio", "sounddevice", "soxr"):
    sys.modules[name] = None  # As if it were not installed.
from companion.cli import main
codes = [main(["--data-dir", sys.argv[1], *words.split()]) for words in sys.argv[2:]]
sys.exit(codes != [1] * len(codes))
"""


def test_without_the_libraries_for_sound_it_says_what_installs_them(tmp_path: Path) -> None:
    commands = ("voice --in in.wav", "doctor --audio")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_LIBRARIES, str(tmp_path), *commands],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("is not installed; run: scripts/setup --voice") == 2
    assert "defect" not in done.stderr
