"""Progress of a long evaluation, on stderr: a bar where someone watches, else a line an item."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.cli.output import note


@contextmanager
def shown_progress(steps: int) -> Iterator[Callable[[str], None]]:
    """Tell it after each item. steps: items to be expected; more are counted, too."""
    if not sys.stderr.isatty():
        yield note
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description:<48}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("begins", total=steps)
        done = 0

        def show(item: str) -> None:
            nonlocal done
            done += 1
            bars.update(task, description=item, completed=done, total=max(done, steps))

        yield show
