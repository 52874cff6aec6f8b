"""What can be asked of a chat besides talking: `/memory`, `/profile`, `/why`, `/sleep`, `/help`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TextIO

from companion.cli.listings import show_profile
from companion.cli.memories import show_memories
from companion.cli.output import table
from companion.cli.talk import Talk
from companion.records import Recalled

HELP = {
    "/memory": "what is remembered",
    "/profile": "what is known of you",
    "/why": "what was recalled for the last reply",
    "/sleep": "go inactive now: learn from what was said",
    "/help": "this list; Ctrl-C stops a reply, Ctrl-D leaves",
}


async def obey(
    command: str, talk: Talk, recalled: Sequence[Recalled], now: datetime, file: TextIO
) -> None:
    """Carry out one of HELP's commands; what it shows goes to `file`."""
    if command == "/memory":
        found = await talk.memories()
        if found:
            show_memories(found[::-1], now, file=file)
        else:
            print("Nothing is remembered yet.", file=file)
    elif command == "/profile":
        show_profile(await talk.profile(), file=file)
    elif command == "/why":
        _show_recalled(recalled, file)
    elif command == "/sleep":
        await talk.sleep()
    else:
        for name, meaning in HELP.items():
            print(f"{name:<9} {meaning}", file=file)


def _show_recalled(recalled: Sequence[Recalled], file: TextIO) -> None:
    if recalled:
        rows = ((item.id, item.kind, f"{item.score:.3f}", item.text) for item in recalled)
        table(("from", "kind", "score", "what"), rows, file=file)
    else:
        print("Nothing was recalled for the last reply.", file=file)
