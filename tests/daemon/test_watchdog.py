from __future__ import annotations

import asyncio
import signal
import socket
from pathlib import Path

import pytest

from companion.daemon.notify import Notifier
from companion.daemon.watchdog import watch
from tests.daemon.conftest import CONFIG, PATIENCE_S, Home, manager_socket


def received(manager: socket.socket) -> list[str]:
    manager.setblocking(False)
    messages = []
    while True:
        try:
            messages.append(manager.recv(4096).decode())
        except BlockingIOError:
            return messages


def test_states_reach_a_socket_with_a_file_and_one_without(tmp_path: Path) -> None:
    abstract = f"companion-test-{tmp_path.name}"
    with (
        manager_socket(tmp_path / "s") as manager,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as nameless,
    ):
        nameless.bind("\0" + abstract)
        for name, end in ((str(tmp_path / "s"), manager), ("@" + abstract, nameless)):
            notifier = Notifier({"NOTIFY_SOCKET": name})
            notifier.ready()
            notifier.status("learning")
            notifier.stopping()
            assert received(end) == ["READY=1", "STATUS=learning", "STOPPING=1"]


@pytest.mark.parametrize("name", ["", "relative", "/nowhere/at/all", "/" + "x" * 200, "vsock:2:1"])
def test_a_manager_that_cannot_be_reached_is_no_reason_to_fail(name: str) -> None:
    Notifier({"NOTIFY_SOCKET": name}).ready()


@pytest.mark.parametrize(
    ("usec", "pid", "expected"),
    [("2000000", None, 2.0), ("2000000", "1", None), ("0", None, None), ("soon", None, None)],
)
def test_the_watchdogs_time_is_read_as_systemd_means_it(
    usec: str, pid: str | None, expected: float | None
) -> None:
    environ = {"WATCHDOG_USEC": usec} | ({"WATCHDOG_PID": pid} if pid else {})
    assert Notifier(environ).watchdog_s == expected


async def test_it_is_fed_while_frames_come_and_not_when_they_stop(tmp_path: Path) -> None:
    with manager_socket(tmp_path / "s") as manager:
        looks = 0
        asked = asyncio.Event()

        def frame() -> int | None:
            nonlocal looks
            looks += 1
            if looks == 20:
                asked.set()
            return [None, None, 1, 2, 3][min(looks, 5) - 1]

        notifier = Notifier({"NOTIFY_SOCKET": str(tmp_path / "s"), "WATCHDOG_USEC": "40000"})
        feeding = asyncio.create_task(watch(notifier, frame))
        await asyncio.wait_for(asked.wait(), PATIENCE_S)
        feeding.cancel()
        await asyncio.wait([feeding])
        assert received(manager) == ["WATCHDOG=1"] * 5


@pytest.mark.real
def test_a_loop_that_stands_still_says_where_and_is_killed(tmp_path: Path) -> None:
    """As systemd does it: no WATCHDOG=1 for the interval, then SIGABRT."""
    home = Home(
        tmp_path, CONFIG.replace("model: smollm2-135m", f"file: {tmp_path / 'nowhere.gguf'}")
    )
    interval_s = 4
    env = {"WATCHDOG_USEC": str(interval_s * 1_000_000), "COMPANION_FAULT": "request:block"}
    with home.daemon(**env) as daemon:
        daemon.wait_for("READY=1")
        daemon.wait_for("WATCHDOG=1")
        with daemon.connection() as client:
            client.sendall(b'{"do": "chat", "text": "Canary."}\n')
            assert daemon.falls_silent(interval_s)
        daemon.process.send_signal(signal.SIGABRT)
        assert daemon.process.wait(60) == -signal.SIGABRT
        log = daemon.log.read_text()
    assert "Timeout" in log
    assert "requests.py" in log
    assert "Canary" not in log
