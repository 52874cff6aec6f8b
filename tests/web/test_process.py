"""`companion web` as a process of its own, beside a real daemon without models."""

from __future__ import annotations

import http.client
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.cli.watched import FORBIDDEN
from tests.daemon.conftest import CONFIG, Home

pytestmark = pytest.mark.slow

PIN = "204518"
PATIENCE_S = 60

AS_SYSTEMD = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Hands a socket over as the file number 3."""


class Parent:
    """A browser at the other end of a port."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = ""

    def ask(self, method: str, path: str, **form: str) -> tuple[int, str]:
        """Status and text; for a redirect the place."""
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        headers = {"Cookie": f"companion={self.cookie}"}
        if method == "POST":
            headers["Origin"] = f"http://127.0.0.1:{self.port}"
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        client.request(method, path, urlencode(form) if form else None, headers)
        answer = client.getresponse()
        text = answer.read().decode()
        if found := re.match(r"companion=([^;]+)", answer.headers.get("Set-Cookie", "")):
            self.cookie = found[1]
        client.close()
        return answer.status, text or answer.headers.get("Location", "")

    def wait(self) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                self.ask("GET", "/static/icon.svg")
                return
            except OSError:
                assert time.monotonic() < deadline
                time.sleep(0.1)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    nothing = tmp_path / "nowhere"
    config = CONFIG.replace("model: smollm2-135m", f"file: {nothing}.gguf")
    return Home(tmp_path, f"{config}embedder: {{directory: {nothing}}}\n")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def page(home: Home, port: int, log: Path, *, socket_of: int | None = None) -> Iterator[Any]:
    """`companion web`, which ends at the first address beyond this machine."""
    python, _, _, *words = home.command("web", "--port", str(port))
    command = [python, "-m", "tests.cli.watched", str(log), *words]
    if socket_of is not None:
        command = [python, "-c", AS_SYSTEMD, str(socket_of), *command]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, pass_fds=() if socket_of is None else (socket_of,)
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            _, errors = process.communicate(timeout=PATIENCE_S)
            assert process.returncode != FORBIDDEN, errors


def test_a_parents_visit_beside_the_daemon(home: Home, tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "web.log"
    parent = Parent(port)
    with home.daemon() as daemon, page(home, port, log):
        daemon.wait_for("READY=1")
        daemon.ask("chat", text="My dog is called Zanzibar.")
        parent.wait()
        assert "companion web pin" in parent.ask("GET", "/pin")[1], "there is none yet"
        daemon.ask("pin_set", pin=PIN)
        time.sleep(2.1)  # the page believes for so long that there is none
        assert parent.ask("POST", "/pin", pin="111111")[0] == 403
        assert parent.ask("POST", "/pin", pin=PIN) == (303, "/")

        for path in ("/", "/memories", "/fading", "/who", "/notices", "/times", "/toy"):
            status, text = parent.ask("GET", path)
            assert status == 200, text
        talks = parent.ask("GET", "/talks")[1]
        (talk,) = re.findall(r'href="(/talk\?id=[^"#]+)"', talks)
        status, text = parent.ask("GET", unescape(talk))
        assert "My dog is called Zanzibar." in text
        token = re.findall(r'name="token" value="([^"]+)"', text)[0]
        session = re.findall(r'name="session" value="([^"]+)"', text)[0]
        form = {"token": token, "session": session, "turn": "1"}
        assert parent.ask("POST", "/talks/erase-turn", **form)[0] == 303
        assert "Zanzibar" not in parent.ask("GET", unescape(talk))[1]
        assert "Zanzibar" not in parent.ask("GET", "/toy/export")[1]
        assert parent.ask("POST", "/undo", token=token, id="1") == (303, "/")
        assert "Zanzibar" in parent.ask("GET", unescape(talk))[1]
        assert "erased something" in parent.ask("GET", "/toy")[1]

        change = {"token": token, "key": "service.minutes_a_day", "kind": "int", "value": "40"}
        assert parent.ask("POST", "/settings", **change) == (303, "/times")
        assert 'value="40"' in parent.ask("GET", "/times")[1]
        assert daemon.ask("status")["page"] is True

        daemon.process.kill()
        daemon.process.wait()
        status, text = parent.ask("GET", "/talks")
        assert status == 200
        assert "The toy is switched off." in text
        assert parent.ask("POST", "/talks/erase", token=token, session=session)[0] == 503
    words = log.read_text() if log.exists() else ""
    assert "Zanzibar" not in words
    assert PIN not in words


def test_systemds_socket_is_taken_and_the_toy_knows(home: Home, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, home.daemon() as daemon:
        port = listener.getsockname()[1]
        parent = Parent(port)
        daemon.wait_for("READY=1")
        log = tmp_path / "web.log"
        with page(home, free_port(), log, socket_of=listener.fileno()):
            assert parent.ask("GET", "/pin")[0] == 200, "it waits in the backlog until then"
            deadline = time.monotonic() + PATIENCE_S
            while not daemon.ask("status")["page"]:
                assert time.monotonic() < deadline
                time.sleep(0.05)
        assert daemon.ask("status")["page"] is False
