"""Which days strangers mean, by their own words. The sets were looked at: they hold what is."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("name", "right"), [("small", 65), ("older", 58), ("mixed", 72)])
def test_the_days_that_strangers_mean(name: str, right: int) -> None:
    sets = ROOT / "tests" / "strangers" / "said_days"
    command = [sys.executable, "scripts/eval_said_days.py", str(sets / f"{name}.jsonl"), "--json"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(run.stdout)["right"] >= right
