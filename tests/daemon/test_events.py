"""`companion events` of a real daemon that has neither voice nor language model."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.config import REPOSITORY
from tests.daemon.conftest import CONFIG, PATIENCE_S, Home

pytestmark = pytest.mark.real


def home_without_models(directory: Path) -> Home:
    broken = directory / "broken.gguf"
    broken.write_bytes(b"GGUF" + b"\0" * 100)
    config = CONFIG.replace("model: smollm2-135m", f"file: {broken}")
    return Home(directory, config + f"embedder: {{directory: {directory / 'nowhere'}}}\n")


def test_a_day_without_a_voice_as_a_lamp_sees_it(tmp_path: Path) -> None:
    home = home_without_models(tmp_path)
    with home.daemon() as daemon:
        daemon.wait_for("READY=1")
        with subprocess.Popen(home.command("events"), stdout=subprocess.PIPE, text=True) as lamp:
            assert lamp.stdout is not None
            events = [json.loads(lamp.stdout.readline())]
            assert events == [{"state": "asleep"}]
            reading = threading.Thread(target=read, args=(lamp.stdout, events), daemon=True)
            reading.start()
            daemon.ask("chat", text="My hamster is called Zanzibar.")
            wait_for(events, {"state": "awake"})
            daemon.ask("sleep", wait=True)
            wait_for(events, {"state": "asleep"}, after=1)
            assert {"mood": "calm"} in events
            assert daemon.stop()[0] == 0
            reading.join()
        assert lamp.returncode == 1, "the daemon has gone"
    log = daemon.log.read_text()
    assert "Zanzibar" not in log


def read(lines: Any, events: list[Any]) -> None:
    for line in lines:
        events.append(json.loads(line))


def wait_for(events: list[Any], event: Any, after: int = 0) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while event not in events[after:]:
        assert time.monotonic() < deadline, events
        time.sleep(0.02)


def test_without_a_daemon_it_says_so(tmp_path: Path) -> None:
    done = home_without_models(tmp_path).run("events")
    assert done.returncode == 1
    assert "no daemon runs" in done.stderr


EVENTS = [
    {"state": "listening"},
    {"state": "speaking"},
    {"mood": "glad"},
    {"loudness": 0.5, "word": "Hi"},
    {"loudness": 0.0, "word": None},
    {"timer": "alarm"},
]


def test_the_example_of_the_documents_moves_what_it_should(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (REPOSITORY / "docs" / "events.md").read_text(encoding="utf-8")
    example = text.partition("```python\n")[2].partition("```")[0]
    assert len(example.splitlines()) <= 10, "a ten-line example"
    program = tmp_path / "companion"
    lines = "\n".join(json.dumps(event) for event in EVENTS)
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{lines}\nEND\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    jaw, lamp = SimpleNamespace(), SimpleNamespace()
    shown: list[str] = []
    exec(example, {"jaw": jaw, "lamp": lamp, "face": SimpleNamespace(show=shown.append)})
    assert (jaw.angle, lamp.color, shown) == (0.0, "white", ["glad"])
