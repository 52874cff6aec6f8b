"""What somebody who has taken over a service would try. One line each: what, and how it went.

Run by scripts/unit_trial.py in the place of the service's program, as its user and under its
properties; and without them, to show that each would go through otherwise.
Lines: `open NAME`, `shut NAME: REASON`.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import socket
import sys
from collections.abc import Callable, Sequence

PROT_READ_WRITE_RUN = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
CLONE_NEWUSER = 0x10000000
HERE, PORT = "192.168.77.2", 9000
"""A device of the home network that would take a call (scripts/unit_trial.py)."""


def call_out() -> None:
    with socket.create_connection((HERE, PORT), timeout=5):
        pass


def listen() -> None:
    with socket.create_server(("0.0.0.0", 9001)):
        pass


def make(family: str, kind: int = socket.SOCK_STREAM) -> Callable[[], None]:
    return lambda: socket.socket(getattr(socket, family), kind).close()


def read(path: str) -> Callable[[], None]:
    def go() -> None:
        if os.path.isdir(path):
            os.listdir(path)
        else:
            with open(path, "rb") as file:
                file.read(1)

    return go


def write(path: str) -> Callable[[], None]:
    def go() -> None:
        with open(path, "w"):
            pass
        os.unlink(path)

    return go


def connect(path: str) -> Callable[[], None]:
    def go() -> None:
        with socket.socket(socket.AF_UNIX) as channel:
            channel.connect(path)

    return go


def machine_code() -> None:
    mmap.mmap(-1, 4096, prot=PROT_READ_WRITE_RUN).close()


def namespace() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWUSER):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def set_clock() -> None:
    import time

    time.clock_settime(time.CLOCK_REALTIME, time.time())


def see_others() -> None:
    os.stat("/proc/1")


TRIES: dict[str, Callable[[], None]] = {
    "call another device": call_out,
    "listen on a port": listen,
    "socket(AF_INET)": make("AF_INET"),
    "socket(AF_INET6)": make("AF_INET6"),
    "socket(AF_NETLINK)": make("AF_NETLINK", socket.SOCK_RAW),
    "socket(AF_PACKET)": make("AF_PACKET", socket.SOCK_RAW),
    "reach the control socket": connect("/run/companion/control.sock"),
    "list /var/lib/companion": read("/var/lib/companion"),
    "read /var/lib/companion/store.db": read("/var/lib/companion/store.db"),
    "read the key": read("/etc/companion/companion-key"),
    "read the encrypted key": read("/etc/companion/companion-key.cred"),
    "read the daemon's copy of the key": read("/run/credentials/companion.service/companion-key"),
    "read /etc/shadow": read("/etc/shadow"),
    "read /root": read("/root"),
    "change the program": write("/opt/companion/companion/new.py"),
    "change the configuration": write("/etc/companion/new.yaml"),
    "read what others have in /tmp": read("/tmp/of-others"),
    "open a disk": read("/dev/vda"),
    "memory to write and run": machine_code,
    "a user namespace": namespace,
    "set the clock": set_clock,
    "see processes of others": see_others,
}


def main(names: Sequence[str]) -> int:
    for name in names or TRIES:
        try:
            TRIES[name]()
        except OSError as error:
            print(f"shut {name}: {error.strerror or error}")
        else:
            print(f"open {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
