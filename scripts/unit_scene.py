"""What unit_trial.py stands on: commands, report, houses around the toy, the part of a browser."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp

from unit_probe import HERE, PORT

WEB, SOCKET, DAEMON = "companion-web.service", "companion-web.socket", "companion.service"
UNITS = Path("/etc/systemd/system")
TOY = "192.168.77.1"
STRANGER, TOY_OUTSIDE = "198.51.100.2", "198.51.100.1"
PAGE = f"http://{TOY}:8722"
PIN = "204518"
JAR = Path(mkdtemp()) / "cookies"
PATIENCE_S = 300
"""For one step: the machine is emulated."""

HEARD_S = 20
"""For a connection."""

faults: list[str] = []


def sh(command: str, timeout: float = PATIENCE_S) -> str:
    """What a command says, on both channels."""
    done = subprocess.run(
        command,
        shell=True,
        text=True,
        timeout=timeout,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.stdout.strip()


def show(what: str, good: object, seen: object = "") -> None:
    """One line of the report."""
    text = " / ".join(str(seen).split("\n"))
    print(f"{'ok ' if good else 'NOT'} {what}{': ' if text else ''}{text}", flush=True)
    if not good:
        faults.append(what)


def title(text: str) -> None:
    print(f"\n== {text}", flush=True)


def block(text: str) -> None:
    print("".join(f"    {line}\n" for line in text.splitlines()), end="", flush=True)


def of(unit: str, name: str) -> str:
    """A property of a unit."""
    return sh(f"systemctl show --value -p {name} {unit}")


def wait(until: Callable[[], object], limit_s: float = PATIENCE_S) -> float:
    """Seconds until something was so; the limit, when it never was."""
    begun = time.monotonic()
    while not until() and time.monotonic() - begun < limit_s:
        time.sleep(0.2)
    return time.monotonic() - begun


def is_active(unit: str) -> bool:
    return of(unit, "ActiveState") == "active"


def since(unit: str, first: str, last: str) -> str:
    return f"{(int(of(unit, last)) - int(of(unit, first))) / 1e6:.1f} s"


def houses() -> None:
    """A device of the home network and one of elsewhere, each with its own stack."""
    sh("ip link set lo up")
    for name, device, toy in (("home", HERE, TOY), ("far", STRANGER, TOY_OUTSIDE)):
        sh(f"ip netns add {name}; ip link add to-{name} type veth peer name eth0 netns {name}")
        sh(f"ip addr add {toy}/24 dev to-{name}; ip link set to-{name} up")
        sh(f"ip -n {name} addr add {device}/24 dev eth0; ip -n {name} link set eth0 up")
    server = ["ip", "netns", "exec", "home", sys.executable, "-m", "http.server", str(PORT)]
    subprocess.Popen(server, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=mkdtemp())


def ask(path: str, *form: str, place: str = "home", page: str = PAGE) -> tuple[str, str]:
    """Status and text of a page, as a browser in that house would have it; 000: no answer."""
    words = " ".join(f"--data-urlencode '{field}'" for field in form)
    if form:
        words += f" -H 'Origin: {page}'"
    answer = sh(
        f"ip netns exec {place} curl -s --connect-timeout {HEARD_S} -m {PATIENCE_S} "
        f"-b {JAR} -c {JAR} -w '\\n%{{http_code}}' {words} '{page}{path}'"
    )
    text, _, status = answer.rpartition("\n")
    return status, text


def listeners() -> str:
    return sh("ss -Htlnp 'sport = :8722'")


def typed(command: str, text: str) -> str:
    """A command on a terminal at which somebody types."""
    said = b""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp("sh", ["sh", "-c", command])
    try:
        for line in text.splitlines():
            asked = b""
            while not asked.rstrip().endswith(b":"):
                asked += os.read(terminal, 1024)
            said += asked
            os.write(terminal, line.encode() + b"\n")
        while more := os.read(terminal, 1024):
            said += more
    except OSError:
        pass  # it has ended
    os.waitpid(pid, 0)
    return said.decode().replace("\r", "").strip()
