"""A daemon's turns while 200 connections to the page are opened again and again, as a ratio to its
turns alone; both in one run, in turn.

    python -m tests.web.bench_crowd [--rounds 6]
"""

from __future__ import annotations

import argparse
import contextlib
import os
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from tests.daemon.conftest import CONFIG, Daemon, Home
from tests.web.test_process import PIN, Parent, free_port, page

CONNECTIONS = 200
TURNS = 5
"""Of each round."""


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


def turns(daemon: Daemon, first: int) -> list[float]:
    """Milliseconds of each, to its end, as the daemon counts them."""
    took = []
    for number in range(first, first + TURNS):
        words = f"My aunt Vera has {number} wooden boats and she paints each one in its own colour."
        done = daemon.ask("chat", text=words)
        if done["generated_tokens"]:
            took.append(done["total_ms"])
    return took


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=6)
    rounds = options.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = Home(Path(folder), CONFIG)
        daemon = stack.enter_context(home.daemon())
        daemon.wait_for("READY=1")
        daemon.ask("pin_set", pin=PIN)
        port = free_port()
        stack.enter_context(page(home, port, Path(folder, "web.log")))
        Parent(port).wait()
        os.nice(19)  # a crowd comes from other machines: it must cost this one little
        turns(daemon, 2)
        ratios, all_alone, all_beside, number = [], [], [], 10
        for _ in range(rounds):
            alone = turns(daemon, number)
            with crowd(port) as came:
                beside = turns(daemon, number + TURNS)
            number += 2 * TURNS
            all_alone += alone
            all_beside += beside
            if alone and beside:
                ratios.append(median(beside) / median(alone))
                print(
                    f"{median(alone):7.0f} ms  {median(beside):7.0f} ms  {came[0]} came", flush=True
                )
        print(
            f"{len(all_alone)} and {len(all_beside)} turns of a model: {median(all_alone):.0f} ms "
            f"alone, {median(all_beside):.0f} ms beside {CONNECTIONS} connections, "
            f"{median(all_beside) / median(all_alone):.3f} times; median of rounds "
            f"{median(ratios):.3f}"
        )
        daemon.stop()


if __name__ == "__main__":
    main()
