"""How a fetch tells people what it does. Everything goes to stderr: stdout is for results."""

from __future__ import annotations

import sys
import time
from typing import Protocol

from rich import progress as rich_progress
from rich.console import Console

_LINE_EVERY_S = 10.0


class Progress(Protocol):
    """Told by `fetch`, in this order for each file: `start`, `at` many times, `end`."""

    def note(self, text: str) -> None:
        """One line for the reader: a licence, a source that failed."""

    def start(self, file: str, total: int) -> None:
        """A file of `total` bytes begins."""

    def at(self, done: int) -> None:
        """So many of its bytes are on disk. May go back when a source starts over."""

    def end(self) -> None:
        """The file is done, or given up."""


class Terminal:
    """A bar where someone watches, a plain line every ten seconds where a log does; with `quiet`
    neither."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._console = Console(file=sys.stderr, highlight=False, soft_wrap=True, quiet=quiet)
        self._bar: rich_progress.Progress | None = None
        self._task = rich_progress.TaskID(0)
        self._file, self._total = "", 0
        self._next_line = 0.0

    def note(self, text: str) -> None:
        self._console.print(text, markup=False)

    def start(self, file: str, total: int) -> None:
        self._file, self._total = file, total
        self._next_line = time.monotonic() + _LINE_EVERY_S
        if self._console.is_terminal:
            self._bar = rich_progress.Progress(
                rich_progress.TextColumn("{task.description}"),
                rich_progress.BarColumn(),
                rich_progress.DownloadColumn(),
                rich_progress.TransferSpeedColumn(),
                rich_progress.TimeRemainingColumn(),
                console=self._console,
            )
            self._task = self._bar.add_task(file, total=total)
            self._bar.start()

    def at(self, done: int) -> None:
        if self._bar is not None:
            self._bar.update(self._task, completed=done)
        elif time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + _LINE_EVERY_S
            self.note(f"{self._file}: {done * 100 // self._total} % of {megabytes(self._total)}")

    def end(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def megabytes(count: int) -> str:
    """A byte count for people, e.g. `1,117 MB`."""
    return f"{max(1, round(count / 1e6)):,} MB"
