"""`companion run` as a real process, with a service manager's socket and a control socket."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CONFIG = """# Without ears and mouth: nothing here is about sound.
llm:
  active: {model: smollm2-135m, context_tokens: 1024, threads: 1}
persona: {greeting: false, examples: false}
dialog: {reply_tokens: 24}
consolidation: {inactivity_s: 3600, mode: turns}
stt: {directory: /nowhere}
tts: {directory: /nowhere}
"""

PATIENCE_S = 120


@dataclass
class Home:
    """A configuration, a data directory, and the socket of a service manager."""

    directory: Path
    config: str = CONFIG
    data_dir: Path = field(init=False)

    def __post_init__(self) -> None:
        self.data_dir = self.directory / "data"
        self.directory.mkdir(parents=True, exist_ok=True)
        (self.directory / "config.yaml").write_text(self.config)

    def command(self, *words: str) -> list[str]:
        options = ["--config", str(self.directory / "config.yaml")]
        options += ["--data-dir", str(self.data_dir)]
        return [sys.executable, "-m", "companion", *options, *words]

    def run(self, *words: str, input: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*words),
            input=input,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    @contextmanager
    def daemon(self, **env: str) -> Iterator[Daemon]:
        """A daemon that has begun; it is killed when the block ends, if it still runs."""
        with manager_socket(self.directory / "notify") as manager:
            log = self.directory / "log"
            with log.open("ab") as errors:
                process = subprocess.Popen(
                    self.command("run"),
                    stdin=subprocess.DEVNULL,
                    stderr=errors,
                    env={**os.environ, "NOTIFY_SOCKET": str(self.directory / "notify"), **env},
                )
            try:
                yield Daemon(self, process, manager, log)
            finally:
                process.kill()
                process.wait()


@contextmanager
def manager_socket(path: Path) -> Iterator[socket.socket]:
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(path))
        yield manager


@dataclass
class Daemon:
    """A running one, as a service manager and a client see it."""

    home: Home
    process: subprocess.Popen[bytes]
    manager: socket.socket
    log: Path

    def wait_for(self, message: str, seconds: float = PATIENCE_S) -> None:
        """Until the service manager is sent a message that begins so."""
        deadline = time.monotonic() + seconds
        while True:
            assert self.process.poll() is None, self.log.read_text()
            self.manager.settimeout(max(0.01, min(1.0, deadline - time.monotonic())))
            try:
                if self.manager.recv(4096).decode().startswith(message):
                    return
            except TimeoutError:
                assert time.monotonic() < deadline, f"no {message}: {self.log.read_text()}"

    def falls_silent(self, seconds: float) -> bool:
        """Wait until nothing was sent to the service manager for so long."""
        self.manager.settimeout(seconds)
        for _ in range(100):
            try:
                self.manager.recv(4096)
            except TimeoutError:
                return True
        return False

    @contextmanager
    def connection(self) -> Iterator[socket.socket]:
        """To the control socket, with the greeting still unread."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(PATIENCE_S)
            # Relative, as a path of pytest's may be too long for the address.
            before = os.open(".", os.O_RDONLY)
            os.chdir(self.home.data_dir)
            try:
                client.connect("control.sock")
            finally:
                os.fchdir(before)
                os.close(before)
            yield client

    def events(self, do: str, **details: Any) -> list[dict[str, Any]]:
        """All that is answered to a request, without the greeting."""
        with self.connection() as client, client.makefile("rw", encoding="utf-8") as lines:
            greeting = json.loads(lines.readline())
            assert greeting["pid"] == self.process.pid
            lines.write(json.dumps({"do": do, **details}) + "\n")
            lines.flush()
            return [json.loads(line) for line in lines]

    def ask(self, do: str, **details: Any) -> Any:
        """The last thing that is answered."""
        last = self.events(do, **details)[-1]
        assert "done" in last, last
        return last["done"]

    def wait_for_phase(self, phase: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while (now := self.ask("status")["phase"]) != phase:
            assert time.monotonic() < deadline, f"{now}, not {phase}"
            time.sleep(0.05)

    def stop(self) -> tuple[int, float]:
        """SIGTERM: the exit code, and how many seconds it took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S), time.monotonic() - began


def said(home: Home) -> list[tuple[str, str, bool]]:
    """Every message in the store: role, text, and whether its session has ended."""
    document = json.loads(home.run("export", "-").stdout)
    return [
        (message["role"], message["text"], session["ended"] is not None)
        for session in document["sessions"]
        for message in session["messages"]
    ]
