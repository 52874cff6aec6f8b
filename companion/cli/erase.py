"""`companion erase`: physical removal, not to be undone."""

from __future__ import annotations

import argparse
import asyncio
import sys

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import note
from companion.errors import UsageError

DIGITS = 18
"""Of a turn's number, at most: the database counts no further."""


def register(commands: Commands) -> None:
    parser = add_command(
        commands,
        "erase",
        run,
        "erase everything, a session, a turn, a memory or what was overheard for good",
        "Erase physically: rows, indexes, vectors, backups. It cannot be undone.",
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--all", action="store_true", help="everything that was ever stored")
    what.add_argument(
        "--session",
        metavar="S",
        help="a session, as `sessions` names it, and all that rests on it alone",
    )
    what.add_argument(
        "--turn",
        type=_turn,
        metavar="S#N",
        help="a turn, as `memories show` names it, and all that rests on it alone",
    )
    what.add_argument(
        "--memory", type=int, metavar="ID", help="one memory; the words it came from stay"
    )
    what.add_argument(
        "--overheard", action="store_true", help="all that was overheard (`companion listen`)"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")


def _turn(text: str) -> tuple[str, int]:
    """Session and number. A session's own name may hold the mark too."""
    session, _, number = text.rpartition("#")
    if not session or not number.isascii() or not number.isdigit() or len(number) > DIGITS:
        raise argparse.ArgumentTypeError(f"{text!r} is no turn; write it as 2026-11-21-1#3")
    return session, int(number)


def run(call: Call) -> int:
    if not _confirmed(call.arguments):
        note("Nothing was erased.")
        return 1
    return asyncio.run(_erase(call))


def _confirmed(arguments: argparse.Namespace) -> bool:
    """Raises UsageError when there is nobody to ask."""
    if arguments.yes:
        return True
    if not sys.stdin.isatty():
        raise UsageError("erase asks before it erases; without a terminal, add --yes")
    print(f"Erase {_what(arguments)} for good? Type yes: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() == "yes"


def _what(arguments: argparse.Namespace) -> str:
    if arguments.all:
        return "everything"
    if arguments.session is not None:
        return f"session {arguments.session}"
    if arguments.turn is not None:
        return "turn {}#{}".format(*arguments.turn)
    if arguments.overheard:
        return "all that was overheard"
    return f"memory {arguments.memory}"


async def _erase(call: Call) -> int:
    from companion.store import erase

    arguments = call.arguments
    async with call.store("owner") as store:
        if arguments.all:
            await erase.erase_all(store)
        elif arguments.session is not None:
            await erase.erase_session(store, arguments.session)
        elif arguments.turn is not None:
            await erase.erase_turn(store, *arguments.turn)
        elif arguments.overheard:
            await erase.erase_blocks(store)
        else:
            await erase.erase_memory(store, arguments.memory)
    what = _what(arguments)
    return call.show({"erased": what}, lambda: print(f"Erased {what}."))
