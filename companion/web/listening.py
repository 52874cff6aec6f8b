"""From a socket to the site: systemd's socket, or a port of this machine."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from companion.config import WebSection
from companion.errors import ConfigError, UsageError
from companion.web.connections import MOST, Connection

_FIRST_FD = 3
"""Of those that systemd hands over (sd_listen_fds)."""


def handed_over() -> list[socket.socket]:
    """The sockets that systemd listens on for this process; none when it was started by hand."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return []
    count = int(os.environ.get("LISTEN_FDS", "0"))
    return [socket.socket(fileno=_FIRST_FD + number) for number in range(count)]


def own(section: WebSection, port: int) -> list[socket.socket]:
    """A socket of our own: of this machine only, unless the configuration opens the home network.
    Raises UsageError when the port is taken."""
    family = socket.AF_INET6 if section.lan and socket.has_dualstack_ipv6() else socket.AF_INET
    address = ("::" if family == socket.AF_INET6 else "0.0.0.0") if section.lan else "127.0.0.1"
    try:
        return [
            socket.create_server(
                (address, port),
                family=family,
                backlog=MOST,
                dualstack_ipv6=family == socket.AF_INET6,
            )
        ]
    except OSError as error:
        raise UsageError(
            f"port {port} of {address}: {error.strerror}; choose another with --port"
        ) from None


def check_certificate(section: WebSection) -> None:
    """Raises ConfigError when a file of TLS cannot be read or used."""
    for name, file in (("certificate", section.certificate), ("key", section.key)):
        if file is None:
            continue
        try:
            Path(file).expanduser().read_bytes()
        except OSError as error:
            raise ConfigError(f"web.{name}: {file}: {error.strerror}") from None
    try:
        uvicorn.Config(_nobody, log_config=None, **_tls(section)).load()
    except (OSError, ValueError):  # SSLError is an OSError
        raise ConfigError(
            f"web.certificate, web.key: {section.certificate}, {section.key}: are no certificate "
            "in PEM and its key without a password"
        ) from None


def _tls(section: WebSection) -> dict[str, Any]:
    """With a password of our own, nobody at a terminal is asked for one."""
    if section.certificate is None or section.key is None:
        return {}
    certificate, key = section.certificate.expanduser(), section.key.expanduser()
    return {
        "ssl_certfile": str(certificate),
        "ssl_keyfile": str(key),
        "ssl_keyfile_password": "-",
    }


async def _nobody(scope: object, receive: object, send: object) -> None:
    """An application that answers nothing."""


async def serve(site: ASGIApp, section: WebSection, sockets: Sequence[socket.socket]) -> None:
    """Answer until cancelled. Nothing is logged of any request: an address can hold words."""
    server = _Server(
        uvicorn.Config(
            site,
            http=Connection,
            ws="none",
            loop="asyncio",
            lifespan="off",
            backlog=MOST,
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=2,
            **_tls(section),
        )
    )
    task = asyncio.ensure_future(server.serve(list(sockets)))
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        server.should_exit = True
        await task
        raise


class _Server(uvicorn.Server):
    """Leaves signals to the program that it runs in."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
