"""`companion consolidate`: the inactive phase, now."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import TYPE_CHECKING

from companion import runtime
from companion.cli.call import Call, Commands, add_json_option
from companion.cli.output import note, write_json

if TYPE_CHECKING:
    from companion.consolidation.report import Progress


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "consolidate",
        help="learn from what was said, now",
        description="Run the inactive phase to its end. Stopped at any moment, the next run "
        "goes on where this one was.",
    )
    add_json_option(parser)
    parser.set_defaults(run=run)


async def run(call: Call) -> int:
    from companion.cli.diary import show_report

    config = call.config
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(call.store("owner"))
        model = await stack.enter_async_context(
            runtime.language_model(config, config.llm.inactive or config.llm.active)
        )
        embedder = await stack.enter_async_context(runtime.embedder(config))
        # A guard that suits another embedder would bar whatever waits to be judged.
        await runtime.check_guard(config.safety, embedder)
        consolidation = runtime.consolidation(config, call.clock, store, model, embedder)
        with _shown_progress() as on_progress:
            report = await consolidation.run(on_progress)
    if call.arguments.json:
        write_json(report.as_json())
    else:
        show_report(report)
    return 0


@contextmanager
def _shown_progress() -> Iterator[Callable[[Progress], None]]:
    """On stderr: a bar where someone watches, one line per kind of step where a log does."""
    from companion.cli.diary import doing

    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description:<32}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("opening the log", total=None)

        def show(progress: Progress) -> None:
            bars.update(
                task,
                description=doing(progress),
                completed=progress.done,
                total=progress.done + progress.left,
            )

        yield show


class _Lines:
    """A line when another kind of step begins."""

    def __init__(self) -> None:
        self._step = ""

    def __call__(self, progress: Progress) -> None:
        from companion.cli.diary import doing

        if progress.step != self._step:
            self._step = progress.step
            note(f"{doing(progress)} ({progress.done + progress.left})")
