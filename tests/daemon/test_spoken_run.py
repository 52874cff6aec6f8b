"""`companion run` with sound from a file, as a real process without a network: it is spoken to,
falls asleep, consolidates, is woken in the middle of that by speech, answers, and is stopped in
the middle of a word."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import time
import wave
from pathlib import Path

import numpy as np
import pytest
import soxr

from companion.clock import SystemClock
from companion.config import StoreSection
from companion.engines.piper import Piper
from companion.engines.sound_protocols import MIC_RATE, SPEAKER_RATE, Samples
from companion.records import Turn
from companion.store import log
from companion.store.database import Store
from tests.daemon.conftest import PATIENCE_S, Daemon, Home, manager_socket

pytestmark = pytest.mark.real

CONFIG = """llm:
  active: {model: smollm2-135m, context_tokens: 1024, threads: 1}
persona: {greeting: false, examples: false}
dialog: {reply_tokens: 40}
consolidation: {inactivity_s: 3}
"""

SECOND_AT_S = 45.0
"""By then it has answered, fallen asleep, and works through what was said before."""


def test_a_spoken_day(tmp_path: Path, piper_dir: Path) -> None:
    home = Home(tmp_path, CONFIG)
    recording, played = tmp_path / "heard.wav", tmp_path / "played.wav"
    asyncio.run(_record(recording, piper_dir))
    _days_before(home, sessions=12, turns=6)
    with manager_socket(tmp_path / "notify") as manager:
        command = home.command("run", "--in", str(recording), "--out", str(played))
        if shutil.which("unshare") and subprocess.run(["unshare", "-rn", "true"]).returncode == 0:
            command = ["unshare", "-rn", *command]
        log_file = tmp_path / "log"
        with log_file.open("ab") as errors:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stderr=errors,
                env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify")},
            )
        try:
            daemon = Daemon(home, process, manager, log_file)
            daemon.wait_for("READY=1")
            daemon.wait_for_phase("consolidating")
            answered = _sounds_after(played, SECOND_AT_S)
            process.send_signal(signal.SIGTERM)
            stopped = time.monotonic()
            assert process.wait(timeout=PATIENCE_S) == 0, log_file.read_text()
            assert time.monotonic() - stopped < 6
        finally:
            process.kill()
            process.wait()
    (first, second), left = asyncio.run(_spoken(home))
    assert left > 0, "it was not done when it was woken"
    assert first.user is not None
    assert second.user is not None
    assert "dog" in first.user.text.lower()
    assert "name" in second.user.text.lower()
    assert first.user.confidence is not None
    assert first.reply is not None
    assert first.reply.text
    assert not first.reply.cut
    assert second.reply is None or second.reply.cut
    assert answered - SECOND_AT_S < 30
    assert "dog" not in log_file.read_text().lower()


async def _record(path: Path, voice: Path) -> None:
    piper = await Piper.load(voice, name="joe", threads=1, speed=1.0)
    try:
        one = await piper.synthesize("I have a little dog at home.")
        two = await piper.synthesize("Can you tell me a very good name for him?")
    finally:
        await piper.close()
    sound = np.zeros(int((SECOND_AT_S + 90) * MIC_RATE), np.int16)
    for at, said in ((1.0, one), (SECOND_AT_S - len(two) / SPEAKER_RATE, two)):
        heard: Samples = soxr.resample(said, SPEAKER_RATE, MIC_RATE).astype(np.int16)
        begin = int(at * MIC_RATE)
        sound[begin : begin + len(heard)] = heard
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(MIC_RATE)
        file.writeframes(sound.tobytes())


def _days_before(home: Home, *, sessions: int, turns: int) -> None:
    """So much to consolidate that the next speech comes in the middle of it."""
    lines = []
    for day in range(1, sessions + 1):
        for turn in range(turns):
            time = f"2026-05-{day:02d}T10:{turn:02d}"
            said = f"My friend Tom number {day}{turn} has a red bicycle and likes to swim."
            row = {"session": f"day{day}", "time": f"{time}:00+00:00", "role": "user"}
            lines.append({**row, "text": said})
            row = {"session": f"day{day}", "time": f"{time}:30+00:00", "role": "assistant"}
            lines.append({**row, "text": "That sounds fun."})
    file = home.directory / "before.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    done = home.run("replay", str(file))
    assert done.returncode == 0, done.stderr


def _sounds_after(played: Path, at_s: float) -> float:
    """Wait until something is played after this moment; when that was."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        with wave.open(str(played), "rb") as file:
            file.setpos(min(int(at_s * SPEAKER_RATE), file.getnframes()))
            samples = np.frombuffer(file.readframes(1 << 24), np.int16)
        loud = np.flatnonzero(np.abs(samples.astype(np.int32)) > 300)
        if len(loud):
            return at_s + float(loud[0]) / SPEAKER_RATE
        time.sleep(0.05)
    pytest.fail("it was never answered")


async def _spoken(home: Home) -> tuple[list[Turn], int]:
    """The turns that were spoken, and how many days before wait to be consolidated."""
    store = await Store.open(home.data_dir, StoreSection(), SystemClock())
    try:
        sessions = await store.read(log.sessions)
        turns = [turn for s in sessions for turn in await store.read(log.turns, s.id)]
    finally:
        await store.close()
    spoken = [turn for turn in turns if turn.user and turn.user.confidence is not None]
    return spoken, sum(s.id.startswith("day") and not s.consolidated for s in sessions)
