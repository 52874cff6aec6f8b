"""A user of a machine on which the memories, and the daemon, belong to another user."""

from __future__ import annotations

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
warm, closed, own = sys.argv[1:4]
for command in ("sessions", "status"):  # Every module, while it can still be read.
    main(["--data-dir", warm, command])
if os.geteuid() == 0:
    os.setuid(65534)
print("as nobody:", file=sys.stderr)
codes = [main(["--data-dir", closed, *words.split()]) for words in sys.argv[4:]]
os.environ["RUNTIME_DIRECTORY"] = closed
print("our own:", main(["--data-dir", own, "status"]), file=sys.stderr)
sys.exit(codes != [1] * len(codes))
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


def test_what_belongs_to_somebody_else_is_named_and_no_defect(place: Path, tmp_path: Path) -> None:
    """Neither memories nor a socket may be opened; a daemon of somebody else does not keep us from
    memories of our own."""
    commands = ("sessions", "status", "export -", "pause")
    places = (str(tmp_path), str(place / "closed"), str(place / "own"))
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, *places, *commands],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    *lines, last = done.stderr.partition("as nobody:\n")[2].splitlines()
    assert last == "our own: 0"
    assert len(lines) == len(commands)
    for line in lines:
        assert str(place / "closed") in line
        assert "sudo companion" in line
        assert "defect" not in line
