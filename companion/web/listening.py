"""From a socket to the site: systemd's socket, or a port of this machine."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

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
    if section.certificate is not None and section.key is not None:
        files = section.certificate.expanduser(), section.key.expanduser()
        try:  # with a password of our own, nobody is asked for one
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*files, password="-")
        except (ssl.SSLError, ValueError):
            raise ConfigError(
                f"web.certificate, web.key: {files[0]}, {files[1]}: are no certificate in PEM and "
                "its key without a password"
            ) from None


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
            ssl_certfile=section.certificate and str(section.certificate.expanduser()),
            ssl_keyfile=section.key and str(section.key.expanduser()),
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
