"""SIGTERM to a daemon that speaks, or that consolidates: quiet, committed, gone.

Real processes with real small models and ears, over files, in real time."""

from __future__ import annotations

import asyncio
import random
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion import config
from companion.engines.sound.protocols import SPEAKER_RATE
from companion.weights.located import model_folder
from tests.campaigns.outcome import Outcome
from tests.daemon.conftest import Daemon, Home
from tests.daemon.spoken import (
    AUDIBLE,
    CONFIG,
    days_before,
    listening,
    played_so_far,
    record,
    sounds_after,
    stored,
)

QUIET_S = 1.0
GONE_S = 5.0
LATEST_S = 5.0
"""At most so long after it began to speak, or to consolidate, the signal comes."""

HEARD_S = 1.0
"""Speech that was certainly heard: a reply of it is stored with words."""


@dataclass
class Stop:
    """What one SIGTERM was followed by."""

    code: int
    took_s: float
    quiet_s: float
    """Sound after it, from the signal to the last of it."""

    spoke_s: float
    """Sound before it."""

    acknowledged: int
    """Messages in the store, as the daemon told just before."""


def sigterms(folder: Path, chance: random.Random, count: int) -> Outcome:
    """One after the other in a copy of the same home: half of them while it speaks, half while
    it consolidates, each at a random moment."""
    outcome = Outcome()
    own = config.load()
    voice = model_folder(own.tts, own.models_dir)
    asked, silence = folder / "asked.wav", folder / "silence.wav"
    asyncio.run(record(asked, voice, [(3.0, "Tell me all about your garden.")], 120))
    asyncio.run(record(silence, voice, [], 120))
    before = Home(folder / "before", CONFIG)
    days_before(before, sessions=4, turns=4)
    stops = []
    for number in range(count):
        speaks = number % 2 == 0
        home = Home(folder / str(number), CONFIG)
        shutil.copytree(before.data_dir, home.data_dir)
        wait_s = chance.uniform(0, LATEST_S)
        stop = _stop(home, asked if speaks else silence, speaks, wait_s)
        stops.append(stop)
        what = f"{'speech' if speaks else 'night'} {number}, {wait_s:.2f} s in"
        outcome.violations += [f"{what}: {line}" for line in _violations(home, stop)]
        shutil.rmtree(home.directory)
    outcome.figures = (
        f"{count} stops, {len(outcome.violations)} violations, longest "
        f"{max(stop.took_s for stop in stops):.1f} s to the end, "
        f"{max(stop.quiet_s for stop in stops) * 1000:.0f} ms to silence"
    )
    return outcome


def _stop(home: Home, recording: Path, speaks: bool, wait_s: float) -> Stop:
    played = home.directory / "played.wav"
    with listening(home, recording, played) as daemon:
        daemon.wait_for("READY=1")
        if speaks:
            sounds_after(played, 0.0)
        else:
            daemon.wait_for_phase("consolidating")
        time.sleep(wait_s)
        acknowledged = _messages(daemon)
        at = len(played_so_far(played))
        code, took = daemon.stop()
    loud = np.flatnonzero(np.abs(played_so_far(played).astype(np.int32)) > AUDIBLE)
    last = int(loud[-1]) if len(loud) else 0
    first = int(loud[0]) if len(loud) else at
    return Stop(
        code,
        took,
        max(0, last - at) / SPEAKER_RATE,
        max(0, at - first) / SPEAKER_RATE,
        acknowledged,
    )


def _messages(daemon: Daemon) -> int:
    return int(daemon.ask("status")["memory"]["messages"])


def _violations(home: Home, stop: Stop) -> list[str]:
    wrong = []
    if stop.code != 0:
        wrong.append(f"exit code {stop.code}")
    if stop.took_s > GONE_S:
        wrong.append(f"gone after {stop.took_s:.1f} s")
    if stop.quiet_s > QUIET_S:
        wrong.append(f"quiet after {stop.quiet_s:.1f} s")
    sessions, turns = asyncio.run(stored(home))
    kept = sum((turn.user is not None) + (turn.reply is not None) for turn in turns)
    if kept < stop.acknowledged:
        wrong.append(f"{stop.acknowledged - kept} messages lost")
    if any(session.ended is None for session in sessions):
        wrong.append("a session was not ended")
    spoken = [turn for turn in turns if turn.user and turn.user.confidence is not None]
    if stop.spoke_s and not spoken:
        wrong.append("it answered what is not in the log")
    if stop.spoke_s > HEARD_S and not all(turn.reply and turn.reply.text for turn in spoken):
        wrong.append("a reply that was heard is not in the log")
    return wrong
