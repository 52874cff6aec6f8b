"""`companion run` with sound from a file, as a real process without a network: it is spoken to,
falls asleep, consolidates, is woken in the middle of that by speech, answers, and is stopped in
the middle of a word."""

from __future__ import annotations

import asyncio
import signal
import time
from pathlib import Path

import pytest

from tests.daemon.conftest import PATIENCE_S, Home
from tests.daemon.spoken import (
    CONFIG,
    days_before,
    listening,
    record,
    sounds_after,
    stored,
    wait_until_heard,
)

pytestmark = pytest.mark.real

SECOND_AT_S = 32.0
"""By then it has answered, fallen asleep, and works through what was said before."""


def test_a_spoken_day(tmp_path: Path, piper_dir: Path) -> None:
    home = Home(tmp_path, CONFIG)
    recording, played = tmp_path / "heard.wav", tmp_path / "played.wav"
    lines = (
        (3.0, "I have a little dog at home."),
        (SECOND_AT_S, "Can you tell me a very good name for him?"),
    )
    asyncio.run(record(recording, piper_dir, lines, SECOND_AT_S + 90))
    days_before(home, sessions=24, turns=12)
    with listening(home, recording, played) as daemon:
        daemon.wait_for("READY=1")
        daemon.wait_for_phase("consolidating")
        wait_until_heard(home, 2)
        answered = sounds_after(played, SECOND_AT_S)
        daemon.process.send_signal(signal.SIGTERM)
        stopped = time.monotonic()
        assert daemon.process.wait(timeout=PATIENCE_S) == 0, daemon.log.read_text()
        assert time.monotonic() - stopped < 6
    sessions, turns = asyncio.run(stored(home))
    waiting = [s for s in sessions if s.id.startswith("day") and not s.consolidated]
    assert waiting, "it was not done when it was woken"
    first, second = [turn for turn in turns if turn.user and turn.user.confidence is not None]
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
    assert "dog" not in daemon.log.read_text().lower()
