"""`companion web pin`: sets the PIN of the parents' page, at the device; `companion web code` lets
the toy speak a code with which it is set on the page."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import sys

from companion.cli.call import Call, Run
from companion.daemon.client import Client
from companion.errors import DaemonError, InputError, UsageError

PIN, CODE = ACTIONS = ("pin", "code")


def add_to(parser: argparse.ArgumentParser, otherwise: Run) -> None:
    """Give a command these actions. otherwise: what the command does without one."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=ACTIONS,
        help="pin: set the PIN of the page, here at the device. code: let the toy speak a code, "
        "with which a new PIN is set on the page",
    )

    async def run_either(call: Call) -> int:
        if call.arguments.action == PIN:
            return await run(call)
        if call.arguments.action == CODE:
            return await speak_code(call)
        found = otherwise(call)
        return found if isinstance(found, int) else await found

    parser.set_defaults(run=run_either)


async def run(call: Call) -> int:
    """Ask twice, set it."""
    pin = await asyncio.to_thread(_ask)
    await call.asked("pin_set", pin=pin)
    print("The PIN is set; whoever had come in has to give it anew.")
    return 0


async def speak_code(call: Call) -> int:
    """Only a running toy can speak. Raises DaemonError."""
    client = await Client.find(call.config)
    if client is None:
        raise DaemonError("the toy is off and cannot speak: `companion web pin` sets a PIN here")
    done = await client.ask("pin_code")
    minutes = round(done["seconds"] / 60)
    print(
        f"The toy has spoken a code; for {minutes} minutes it sets a PIN on the page, at /pin/new."
    )
    return 0


def _ask() -> str:
    """Raises UsageError when there is nobody to ask, InputError when the two differ."""
    from companion.store.access import checked

    if not sys.stdin.isatty():
        raise UsageError("a PIN is set at the device, on a terminal; there is none here")
    first = checked(getpass.getpass("New PIN, at least six digits: "))
    if checked(getpass.getpass("The same again: ")) != first:
        raise InputError("the two are not the same; nothing was set")
    return first
