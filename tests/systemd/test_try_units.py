"""scripts/try_units: what it says before it can begin, and that its probe can tell open from shut.

The trial itself boots a machine and takes minutes: docs/page.md has what it showed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def try_units(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/bash", SCRIPTS / "try_units", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environ},
    )


@pytest.mark.parametrize("arguments", [(), ("--namespaces",), ("folder", "--other")])
def test_it_wants_a_folder(arguments: tuple[str, ...]) -> None:
    result = try_units(*arguments)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)


def test_where_it_cannot_run_it_says_why_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "dirname").symlink_to(shutil.which("dirname") or "")
    result = try_units(str(tmp_path / "new"), PATH=str(tmp_path), VENV=str(tmp_path))
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1, result.stderr
    assert "root" in result.stderr or "apt-get install" in result.stderr
    assert not (tmp_path / "new").exists()


def probe(*names: str) -> list[str]:
    result = subprocess.run(
        [sys.executable, SCRIPTS / "unit_probe.py", *names],
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.splitlines()


def test_the_probe_tells_what_is_open_from_what_is_shut() -> None:
    open_line, shut_line = probe("socket(AF_INET)", "reach the control socket")
    assert open_line == "open socket(AF_INET)"
    assert shut_line.startswith("shut reach the control socket: ")
