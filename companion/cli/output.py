"""How facts are shown: tables and relative dates for people, JSON for machines."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, TextIO

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Would move the cursor, ring the bell or turn the text around."""


def clean(text: str) -> str:
    """Text that a terminal shows and does not obey."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def one_line(text: str) -> str:
    """Text without line breaks or runs of blanks."""
    return " ".join(clean(text).split())


def write_json(document: Any) -> None:
    """One JSON document on stdout; moments as machines read them."""
    print(json.dumps(document, ensure_ascii=False, indent=2, default=datetime.isoformat))


def write_json_line(document: Any) -> None:
    """One JSON object on a line of stdout, at once."""
    print(json.dumps(document, ensure_ascii=False), flush=True)


def note(text: str) -> None:
    """A line beside the answer: on stderr."""
    print(text, file=sys.stderr, flush=True)


def table(
    headings: Sequence[str], rows: Iterable[Sequence[object]], *, file: TextIO | None = None
) -> None:
    """A plain table that keeps whole words when the terminal is narrow."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in headings:
        grid.add_column(heading, overflow="fold")
    for row in rows:
        # Text, not str: what was said may look like markup.
        grid.add_row(*(Text(one_line("" if cell is None else str(cell))) for cell in row))
    console = Console(file=file or sys.stdout, highlight=False)
    if not console.is_terminal:
        console.width = 160
    console.print(grid)


def listing(headings: Sequence[str], rows: Sequence[Sequence[object]], nothing: str) -> None:
    """A table, or a note that there is nothing to be listed."""
    if rows:
        table(headings, rows)
    else:
        note(nothing)


def counted(number: int, noun: str) -> str:
    """`1 turn`, `2 turns`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def when(moment: datetime | None, now: datetime) -> str:
    """How long ago, in words: `just now`, `12 min ago`, `today 14:05`, `yesterday 09:30`,
    `6 days ago`, `2026-03-14`."""
    if moment is None:
        return ""
    local = moment.astimezone(now.tzinfo)
    seconds = (now - moment).total_seconds()
    days = (now.date() - local.date()).days
    if 0 <= seconds < 60:
        return "just now"
    if 0 <= seconds < 3600:
        return f"{int(seconds // 60)} min ago"
    if days == 0:
        return f"today {local:%H:%M}"
    if days == 1:
        return f"yesterday {local:%H:%M}"
    if 1 < days < 14:
        return f"{days} days ago"
    return f"{local:%Y-%m-%d}"
