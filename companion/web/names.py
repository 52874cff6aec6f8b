"""Under which names, and from where, the page may be asked for.

A stranger's site can let its own name point at the toy's address (DNS rebinding); the browser then
takes the toy for a part of that site. It still says the name that it asked for, in `Host`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias

Address: TypeAlias = "IPv4Address | IPv6Address"

_USUAL = {"http": 80, "https": 443}


def address(text: str) -> Address | None:
    """Also of an IPv4 address in IPv6's clothes, and with a zone (`fe80::1%eth0`)."""
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def is_ours(host: str, here: Address, port: int, scheme: str, others: Sequence[str]) -> bool:
    """Whether a `Host` names this machine. here, port: where the connection came in; others:
    names of the configuration."""
    name, own_port = _split(host)
    if own_port is None:
        own_port = _USUAL[scheme]
    if own_port != port:
        return False
    if (asked := address(name)) is not None:
        return asked == here
    machine = os.uname().nodename.lower()
    known = {machine, f"{machine}.local", *(other.lower() for other in others)}
    if here.is_loopback:
        known.add("localhost")
    return name in known


def is_near(peer: Address, here: Address) -> bool:
    """Whether somebody is on this machine or in the home network."""
    if peer.is_loopback or peer.is_private or peer.is_link_local:
        return True
    return (
        isinstance(peer, IPv6Address)
        and isinstance(here, IPv6Address)
        and peer in IPv6Network((int(here) >> 64 << 64, 64))
    )


def _split(host: str) -> tuple[str, int | None]:
    """Name and port of a `Host`; an empty name when it is none."""
    name, port = host, ""
    if host.startswith("["):
        name, closed, rest = host[1:].partition("]")
        if not closed or (rest and not rest.startswith(":")):
            return "", None
        port = rest[1:]
    elif ":" in host:
        name, _, port = host.rpartition(":")
    if not port:
        return name.lower().removesuffix("."), None
    if not (port.isascii() and port.isdigit() and len(port) <= 5):
        return "", None
    return name.lower().removesuffix("."), int(port)
