"""The program under watch: `python -m tests.cli.watched LOG ARGUMENTS...`.

Whatever reaches for an address beyond this machine is named in the exception and ends the
process; every logger of the process writes to LOG from INFO up.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import sys
from typing import Any

FORBIDDEN = 99
_ADDRESSED = {"socket.connect": 1, "socket.bind": 1, "socket.sendto": 1, "socket.sendmsg": 1}
_NAMED = {"socket.getaddrinfo": 0, "socket.gethostbyname": 0, "socket.gethostbyaddr": 0}


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _ADDRESSED:
        place = arguments[_ADDRESSED[event]]
        if place is None or isinstance(place, (str, bytes)):
            return  # a Unix socket, or one that is connected already
        host = place[0]
    elif event in _NAMED:
        host = arguments[_NAMED[event]]
    else:
        return
    if not _is_here(host):
        print(f"{event}: {host!r}", file=sys.stderr, flush=True)
        os._exit(FORBIDDEN)


def _is_here(host: Any) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


if __name__ == "__main__":
    sys.addaudithook(watch)
    logging.basicConfig(filename=sys.argv[1], level=logging.INFO)
    from companion.cli.app import main

    sys.exit(main(sys.argv[2:]))
