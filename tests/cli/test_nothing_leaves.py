"""A whole run, talk and night and question: no network is reached for, no log holds a word."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Program
from tests.cli.watched import FORBIDDEN

CANARIES = ("Zephyrine", "Quillbrook", "marmoset")
SAID = (
    f"My name is {CANARIES[0]} and I live in {CANARIES[1]} with my parents.\n"
    f"I have a {CANARIES[2]} called Figaro.\n"
)


def watched(program: Program, log: Path, *words: str) -> list[str]:
    _, _, _, *arguments = program.arguments(*words)
    return [sys.executable, "-m", "tests.cli.watched", str(log), *arguments]


def run(command: list[str], said: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, input=said, capture_output=True, text=True, timeout=240)


@pytest.mark.real
def test_talk_night_and_question_reach_for_nothing_and_log_no_word(
    program: Program, tmp_path: Path
) -> None:
    log = tmp_path / "all.log"
    talked = run(watched(program, log, "chat", "--json"), SAID)
    assert talked.returncode == 0, talked.stderr
    assert run(watched(program, log, "consolidate")).returncode == 0
    asked = run(watched(program, log, "ask", f"What is my {CANARIES[2]} called?"))
    assert asked.returncode == 0, asked.stderr
    shown = run(watched(program, log, "export", "-")).stdout
    logged = log.read_text()
    for canary in CANARIES:
        assert canary in shown
        assert canary.lower() not in logged.lower()
    key = (program.data_dir / "store.key").read_text().strip()
    assert key not in logged


@pytest.mark.real
def test_without_any_network_it_talks_the_same(program: Program, tmp_path: Path) -> None:
    unshare = ["unshare", "--user", "--map-root-user", "--net"]
    if subprocess.run([*unshare, "true"], capture_output=True).returncode:
        pytest.skip("this system lets nobody make a network of his own")
    command = watched(program, tmp_path / "log", "chat", "--json")
    done = run([*unshare, *command], "Hello there.\n")
    assert done.returncode == 0, done.stderr
    assert '"turn":' in done.stdout


@pytest.mark.parametrize(
    "reach",
    [
        "import socket; socket.getaddrinfo('example.org', 80)",
        "import socket; socket.socket().connect(('192.0.2.1', 80))",
        "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9))",
    ],
)
def test_the_watch_sees_what_it_forbids(reach: str) -> None:
    code = f"import sys; from tests.cli.watched import watch; sys.addaudithook(watch); {reach}"
    done = run([sys.executable, "-c", code])
    assert done.returncode == FORBIDDEN
    assert "socket." in done.stderr
