"""A user of a machine on which the memories, and the daemon, belong to another user."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

AS_NOBODY = """
import os, sys
from companion.cli import main
warm, *words = sys.argv[1:]
for command in ("sessions", "status"):  # Every module, while it can still be read.
    main(["--data-dir", warm, command])
print("as nobody:", file=sys.stderr)
if os.geteuid() == 0:
    os.setuid(65534)
sys.exit(main(words))
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """`closed`, which may not be entered, and `own`, which may. Not in pytest's folders: those are
    closed themselves."""
    directory = Path(tempfile.mkdtemp(prefix="companion-test-"))
    directory.chmod(0o755)
    (directory / "own").mkdir()
    (directory / "own").chmod(0o777)
    (directory / "closed").mkdir()
    (directory / "closed" / "store.db").touch()
    (directory / "closed").chmod(0o000)
    yield directory
    (directory / "closed").chmod(0o700)
    shutil.rmtree(directory)


def as_nobody(warm: Path, *words: str, **env: str) -> tuple[int, str]:
    """The exit code, and what went to stderr."""
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, str(warm), *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        env={**os.environ, **env},
    )
    return done.returncode, done.stderr.partition("as nobody:\n")[2]


@pytest.mark.parametrize("command", ["sessions", "status", "export -", "pause"])
def test_memories_of_somebody_else_are_named_and_no_defect(
    place: Path, tmp_path: Path, command: str
) -> None:
    words = ("--data-dir", str(place / "closed"), *command.split())
    code, said = as_nobody(tmp_path, *words)
    assert code == 1
    assert str(place / "closed") in said
    assert "sudo companion" in said
    assert "defect" not in said


def test_a_daemon_of_somebody_else_does_not_keep_us_from_our_own_memories(
    place: Path, tmp_path: Path
) -> None:
    words = ("--data-dir", str(place / "own"), "status")
    code, said = as_nobody(tmp_path, *words, RUNTIME_DIRECTORY=str(place / "closed"))
    assert (code, said) == (0, "")
