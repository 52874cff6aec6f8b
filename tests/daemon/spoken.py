"""`companion run` over files: what it hears, what it had to learn before, and what it played."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import wave
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import soxr

from companion.clock import SystemClock
from companion.config import StoreSection
from companion.engines.sound.piper import Piper
from companion.engines.sound.protocols import MIC_RATE, SPEAKER_RATE, Samples
from companion.records import Session, Turn
from companion.store import history, key
from companion.store.connection import connect, rows
from companion.store.database import Store
from companion.store.opening import DATABASE
from tests.daemon.conftest import PATIENCE_S, Daemon, Home, manager_socket

CONFIG = """llm:
  active: {model: smollm2-135m, context_tokens: 1024, threads: 1}
persona: {greeting: false, examples: false}
dialog: {reply_tokens: 24}
consolidation: {inactivity_s: 3}
"""

AUDIBLE = 300
"""Amplitude above which something is heard."""


async def record(
    path: Path, voice: Path, lines: Sequence[tuple[float, str]], length: float
) -> None:
    """A recording of so many seconds. lines: when each ends, and its words."""
    sound = np.zeros(int(length * MIC_RATE), np.int16)
    piper = await Piper.load(voice, name="joe", threads=1, speed=1.0)
    try:
        for ends, words in lines:
            said = await piper.synthesize(words)
            heard: Samples = soxr.resample(said, SPEAKER_RATE, MIC_RATE).astype(np.int16)
            end = int(ends * MIC_RATE)
            sound[end - len(heard) : end] = heard
    finally:
        await piper.close()
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, MIC_RATE, 0, "NONE", ""))
        file.writeframes(sound.tobytes())


def days_before(home: Home, *, sessions: int, turns: int) -> None:
    """So much to consolidate that what comes next comes in the middle of it."""
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


@contextmanager
def listening(home: Home, recording: Path, played: Path) -> Iterator[Daemon]:
    """A daemon that hears a recording, without a network where that can be had; it is killed when
    the block ends, if it still runs."""
    command = home.command("run", "--in", str(recording), "--out", str(played))
    if shutil.which("unshare") and subprocess.run(["unshare", "-rn", "true"]).returncode == 0:
        command = ["unshare", "-rn", *command]
    log_file, notify = home.directory / "log", home.directory / "notify"
    with manager_socket(notify) as manager, log_file.open("ab") as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, "NOTIFY_SOCKET": str(notify)},
        )
        try:
            yield Daemon(home, process, manager, log_file)
        finally:
            process.kill()
            process.wait()


def played_so_far(played: Path) -> Samples:
    """Shape (n,) at SPEAKER_RATE."""
    with wave.open(str(played), "rb") as file:
        return np.frombuffer(file.readframes(1 << 24), np.int16)


def sounds_after(played: Path, at_s: float) -> float:
    """Wait until something is played after this moment; when that was, in seconds."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        samples = played_so_far(played)[int(at_s * SPEAKER_RATE) :]
        loud = np.flatnonzero(np.abs(samples.astype(np.int32)) > AUDIBLE)
        if len(loud):
            return at_s + float(loud[0]) / SPEAKER_RATE
        time.sleep(0.05)
    raise AssertionError("it was never answered")


def wait_until_heard(home: Home, turns: int) -> None:
    """Until so many turns were heard by a daemon that runs."""
    secret = key.load(home.data_dir, None, database_exists=True)
    reader = connect(home.data_dir / DATABASE, secret, reader=True)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while len(rows(reader, "SELECT 1 FROM messages WHERE confidence IS NOT NULL")) < turns:
            assert time.monotonic() < deadline, "it never heard so much"
            time.sleep(0.1)
    finally:
        reader.close()


async def stored(home: Home) -> tuple[list[Session], list[Turn]]:
    """All sessions and all turns, of a daemon that has ended."""
    store = await Store.open(home.data_dir, StoreSection(), SystemClock())
    try:
        sessions = await store.read(history.sessions)
        turns = [turn for s in sessions for turn in await store.read(history.turns, s.id)]
    finally:
        await store.close()
    return sessions, turns
