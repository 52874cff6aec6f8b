"""`companion chat`: talk in the terminal, or line by line through a pipe."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.cli.call import Call, Commands, add_command


def register(commands: Commands) -> None:
    parser = add_command(
        commands,
        "chat",
        run,
        "talk by typing",
        "Talk. When standard input is not a terminal: one line in, one reply out.",
        json="one JSON object per reply",
    )
    parser.add_argument(
        # Absent here must not undo the same option before the command.
        "--llm",
        type=Path,
        metavar="FILE",
        default=argparse.SUPPRESS,
        help="a GGUF of your own",
    )
    parser.set_defaults(stoppable=True)


async def run(call: Call) -> int:
    from companion.cli import pipe, terminal

    if sys.stdin.isatty() and sys.stdout.isatty() and not call.arguments.json:
        return await terminal.converse(call)
    return await pipe.converse(call)
