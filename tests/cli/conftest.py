"""The real program in a process of its own, on the smallest real model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

CONFIG = """
llm:
  active: {model: smollm2-135m, context_tokens: 1024, threads: 1}
persona: {greeting: false, examples: false}
dialog: {reply_tokens: 16}
"""


@dataclass(frozen=True)
class Program:
    """`companion` with a configuration and a data directory of its own."""

    config: Path
    data_dir: Path

    def arguments(self, *words: str) -> list[str]:
        """A command line, for tests that talk to the running process."""
        options = ["--config", str(self.config), "--data-dir", str(self.data_dir)]
        return [sys.executable, "-m", "companion", *options, *words]

    def run(
        self, *words: str, input: str | bytes = b"", env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run to the end; stdin is never a terminal."""
        done = subprocess.run(
            self.arguments(*words),
            input=input.encode() if isinstance(input, str) else input,
            capture_output=True,
            env={**os.environ, **(env or {})},
            timeout=240,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    def json(self, *words: str, input: str | bytes = b"") -> Any:
        """Run, expect success, and read the one JSON document on stdout."""
        done = self.run(*words, "--json", input=input)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    config = tmp_path / "config.yaml"
    config.write_text(CONFIG)
    return Program(config, tmp_path / "data")


@pytest.fixture
def recording(tmp_path: Path) -> Callable[..., Path]:
    """Writes a recorded conversation: one session of two turns, or the given lines."""

    def write(lines: list[str] | None = None) -> Path:
        path = tmp_path / "recording.jsonl"
        path.write_text("\n".join(lines or LINES) + "\n")
        return path

    return write


LINES = [
    json.dumps({"session": "day-1", "time": f"2026-10-05T16:0{i}:00+00:00", "role": r, "text": t})
    for i, (r, t) in enumerate(
        [
            ("user", "My hamster is called Biscuit."),
            ("assistant", "Biscuit is a lovely name for a hamster."),
            ("user", "Tomorrow we go to the lighthouse."),
            ("assistant", "A lighthouse! I hope that you see the sea."),
        ]
    )
]
