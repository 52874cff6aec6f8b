"""`companion consolidate` on the smallest real model: plumbing, not sense."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Program

pytestmark = pytest.mark.real

FIGURES = {
    "sessions",
    "turns",
    "drafted",
    "grounded",
    "dropped",
    "added",
    "replaced",
    "duplicates",
    "forgotten",
    "retries",
    "duration_s",
    "model_calls",
}


def test_stopped_by_ctrl_c_it_goes_on_where_it_was(
    program: Program, recording: Callable[..., Path]
) -> None:
    program.json("replay", str(recording()))
    running = subprocess.Popen(
        program.arguments("consolidate", "--json"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert running.stderr is not None
    assert running.stderr.readline() == b"leafing through (2)\n"
    running.send_signal(signal.SIGINT)
    output, errors = running.communicate(timeout=60)
    assert (running.returncode, output) == (1, b"")
    assert errors.decode().endswith("companion: stopped; what was done is kept\n")

    done = program.run("consolidate", "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert set(report) >= FIGURES
    assert set(report["retries"]) == {"soft", "full", "parked"}
    assert (report["sessions"], report["turns"]) == (1, 2)
    assert "going over what was said (2)" in done.stderr
    assert program.json("sessions")[0]["consolidated"] is True
    learnt = program.json("memories", "list")
    assert len(learnt) == report["added"]
    for memory in learnt:
        assert {source["session"] for source in memory["sources"]} == {"day-1"}

    again = program.run("consolidate")
    assert (again.returncode, again.stdout) == (0, "Nothing new to consolidate.\n")
