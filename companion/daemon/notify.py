"""What systemd is told: sd_notify over the datagram socket that it names in $NOTIFY_SOCKET.

Protocol: `man sd_notify`. Without that variable nothing is sent. A message that cannot be
delivered is dropped: no manager is a reason to stop talking.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping

LONGER_S = 120
"""Seconds that a start may take from each sign of life on."""


class Notifier:
    """Sends states to the service manager."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        name = environ.get("NOTIFY_SOCKET", "")
        # "@" begins an abstract name: no file, a NUL byte in its place.
        self._address = "\0" + name[1:] if name.startswith("@") else name
        self.watchdog_s = _watchdog_s(environ)
        """Seconds within which WATCHDOG=1 must come; None: nobody watches."""

    def starting(self) -> None:
        """Still at work: the manager waits so much longer for `ready`."""
        self._send(f"EXTEND_TIMEOUT_USEC={LONGER_S * 10**6}")

    def ready(self) -> None:
        self._send("READY=1")

    def status(self, line: str) -> None:
        """One line for `systemctl status`. Nothing that was said belongs here."""
        self._send(f"STATUS={line}")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def alive(self) -> None:
        self._send("WATCHDOG=1")

    def _send(self, message: str) -> None:
        if not self._address.startswith(("/", "\0")):
            return
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel,
        ):
            channel.setblocking(False)
            channel.sendto(message.encode(), self._address)


def _watchdog_s(environ: Mapping[str, str]) -> float | None:
    """As `man sd_watchdog_enabled`: the time is meant for one process only."""
    if environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    text = environ.get("WATCHDOG_USEC", "")
    return int(text) / 1e6 if text.isascii() and text.isdigit() and int(text) > 0 else None
