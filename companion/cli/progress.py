"""Progress of long work, on stderr: a bar where someone watches, else lines as a log wants them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

from companion.cli.diary import doing
from companion.cli.output import note

if TYPE_CHECKING:
    from companion.consolidation.report import Progress


@contextmanager
def shown_items(steps: int) -> Iterator[Callable[[str], None]]:
    """Of an evaluation: tell it after each item. steps: items to be expected; more are counted,
    too. A line an item where nobody watches."""
    if not sys.stderr.isatty():
        yield note
        return
    with _bar("begins", steps, width=48, remaining=True) as show:
        done = count(1)

        def item(name: str) -> None:
            number = next(done)
            show(name, number, max(number, steps))

        yield item


@contextmanager
def shown_steps() -> Iterator[Callable[[Progress], None]]:
    """Of a consolidation. A line for each kind of step where nobody watches."""
    if not sys.stderr.isatty():
        step = ""

        def line(progress: Progress) -> None:
            nonlocal step
            if progress.step != step:
                step = progress.step
                note(f"{doing(progress)} ({progress.done + progress.left})")

        yield line
        return
    with _bar("opening the log", None, width=32) as show:
        yield lambda progress: show(doing(progress), progress.done, progress.done + progress.left)


@contextmanager
def _bar(
    begins: str, total: int | None, *, width: int, remaining: bool = False
) -> Iterator[Callable[[str, int, int], None]]:
    """Tell it what is being done, how many items are done and how many there are.

    width: of the description. remaining: show an estimate of the time that is left.
    """
    from rich import progress
    from rich.console import Console

    columns = (
        progress.TextColumn(f"{{task.description:<{width}}}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
        *([progress.TimeRemainingColumn()] if remaining else []),
    )
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(begins, total=total)
        yield lambda what, done, all_of_it: bars.update(
            task, description=what, completed=done, total=all_of_it
        )
