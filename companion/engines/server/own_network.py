"""Whether an address belongs to the owner's own network."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from urllib.parse import urlsplit

from companion.errors import EngineError


async def require_own_network(url: str) -> None:
    """Refuse a server that is not on this machine or its private network.

    Every address that the name resolves to must be loopback, private or link-local (RFC 1918,
    RFC 4193, RFC 3927). Looked up before every connection, since names can be moved.
    Raises EngineError.
    """
    host = urlsplit(url).hostname
    if not host:
        raise EngineError(f"llm url {url!r} names no host; write http://127.0.0.1:8080/v1")
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        raise EngineError(
            f"llm url {url}: the name {host!r} is not known on this network"
        ) from None
    for *_, address in found:
        if not _is_own(str(address[0])):
            raise EngineError(
                f"llm url {url} leads to {address[0]}, outside the private network: what was "
                "said would leave it; use a server at home, or set allow_public: true"
            )


def is_own_address(url: str) -> bool:
    """True when the URL holds such an address itself, and no name that must be looked up."""
    try:
        return _is_own(urlsplit(url).hostname or "")
    except ValueError:
        return False


def _is_own(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    return ip.is_loopback or ip.is_private or ip.is_link_local
