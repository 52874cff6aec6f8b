"""A daemon's turns while 200 connections to the page are opened again and again, as a ratio to its
turns alone; both in one run, in pairs, of which every second one begins with the crowd.

    python -m tests.web.bench_crowd [--pairs 12]

The wall clock is what a child waits; where the machine has other work, the processor time of the
daemon tells what the crowd makes it do.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from statistics import median

from tests.daemon.conftest import CONFIG, Daemon, Home
from tests.web.test_process import PIN, Parent, free_port, page

CONNECTIONS = 200
TURNS = 3
"""Of each half of a pair."""

TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Turn:
    """What one turn took, milliseconds."""

    wall: float
    """To its end, as the daemon counts."""

    processor: float
    """Of all threads of the daemon."""


@contextmanager
def crowd(port: int) -> Iterator[list[int]]:
    """So many connections that say nothing, or ask for the page; whoever is cut comes again, at
    most once in two seconds. Gives how many came."""
    over, came = threading.Event(), [0]

    def stand() -> None:
        held: list[socket.socket] = []
        while not over.is_set():
            for each in held:
                each.close()
            held = []
            for number in range(CONNECTIONS):
                with contextlib.suppress(OSError):
                    one = socket.create_connection(("127.0.0.1", port), timeout=0.2)
                    if number % 10 == 0:
                        one.sendall(b"GET /pin HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
                    held.append(one)
                    came[0] += 1
            over.wait(2)
        for each in held:
            each.close()

    thread = threading.Thread(target=stand)
    thread.start()
    try:
        time.sleep(0.5)
        yield came
    finally:
        over.set()
        thread.join()


def processor_ms(pid: int) -> float:
    """That a process has had so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND


def turns(daemon: Daemon, first: int) -> list[Turn]:
    """Those of the model."""
    took = []
    for number in range(first, first + TURNS):
        words = f"My aunt Vera has {number} wooden boats and she paints each one in its own colour."
        before = processor_ms(daemon.process.pid)
        done = daemon.ask("chat", text=words)
        if done["generated_tokens"]:
            used = processor_ms(daemon.process.pid) - before
            took.append(Turn(done["total_ms"], used))
    return took


def compared(alone: Sequence[float], beside: Sequence[float]) -> float:
    return median(beside) / median(alone)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pairs", type=int, default=12)
    pairs = options.parse_args().pairs
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = Home(Path(folder), CONFIG)
        daemon = stack.enter_context(home.daemon())
        daemon.wait_for("READY=1")
        daemon.ask("pin_set", pin=PIN)
        port = free_port()
        site = stack.enter_context(page(home, port, Path(folder, "web.log")))
        Parent(port).wait()
        os.nice(19)  # a crowd comes from other machines: it must cost this one little
        turns(daemon, 2)
        found: dict[str, list[list[Turn]]] = {"alone": [], "beside": []}
        came = seconds = used = 0.0
        for number in range(2 * pairs):
            half = ("alone", "beside", "beside", "alone")[number % 4]
            if half == "alone":
                found[half].append(turns(daemon, 10 + number * TURNS))
                continue
            began, had = time.monotonic(), processor_ms(site.pid)
            with crowd(port) as counted:
                found[half].append(turns(daemon, 10 + number * TURNS))
                used += processor_ms(site.pid) - had
                seconds += time.monotonic() - began
            came += counted[0]
        _show(found["alone"], found["beside"])
        print(f"the page's process used {used / seconds / 10:.1f} % of a core; {came:.0f} came")
        daemon.stop()


def _show(alone: Sequence[Sequence[Turn]], beside: Sequence[Sequence[Turn]]) -> None:
    for clock in ("wall", "processor"):
        one = [[getattr(each, clock) for each in half] for half in alone]
        other = [[getattr(each, clock) for each in half] for half in beside]
        pairs = [compared(a, b) for a, b in zip(one, other, strict=True) if a and b]
        all_one, all_other = list(chain(*one)), list(chain(*other))
        print(
            f"{clock}: {len(all_one)} turns alone {median(all_one):.0f} ms, {len(all_other)} "
            f"beside {CONNECTIONS} connections {median(all_other):.0f} ms: "
            f"{compared(all_one, all_other):.3f} times; median of pairs {median(pairs):.3f} "
            f"({min(pairs):.2f} to {max(pairs):.2f})"
        )


if __name__ == "__main__":
    main()
