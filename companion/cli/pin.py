"""`companion web pin`: sets the PIN of the parents' page, at the device."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import sys

from companion.cli.call import Call, Run
from companion.errors import InputError, UsageError

ACTION = "pin"


def add_to(parser: argparse.ArgumentParser, otherwise: Run) -> None:
    """Give a command the action `pin`. otherwise: what the command does without it."""
    parser.add_argument(
        "action", nargs="?", choices=(ACTION,), help="set the PIN of the page, here at the device"
    )

    async def run_either(call: Call) -> int:
        if call.arguments.action == ACTION:
            return await run(call)
        found = otherwise(call)
        return found if isinstance(found, int) else await found

    parser.set_defaults(run=run_either)


async def run(call: Call) -> int:
    """Ask twice, set it."""
    pin = await asyncio.to_thread(_ask)
    await call.asked("pin_set", pin=pin)
    print("The PIN is set; whoever had come in has to give it anew.")
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
