"""`companion erase`: physical removal, not to be undone."""

from __future__ import annotations

import argparse
import asyncio
import sys

from companion.cli.call import Call, Commands, add_command
from companion.cli.numbers import memory_id
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
    arguments = call.arguments
    if arguments.all:
        from companion.parents.changes import EVERYTHING

        done = await call.asked("erase", all=True, typed=EVERYTHING)
    elif arguments.session is not None:
        done = await call.asked("erase", session=arguments.session, now=True)
    elif arguments.turn is not None:
        done = await call.asked("erase", turn="{}#{}".format(*arguments.turn), now=True)
    elif arguments.overheard:
        done = await call.asked("erase", overheard=True)
    else:
        done = await call.asked("erase", memory=memory_id(arguments.memory), now=True)
    return call.show(done, lambda: print(f"Erased {done['erased']}."))
