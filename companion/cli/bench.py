"""`companion bench`: measure the speed of this machine with these models."""

from __future__ import annotations

from argparse import ArgumentParser
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.numbers import positive, positives
from companion.cli.output import note, table
from companion.cli.sound import libraries
from companion.evaluation.bench.benches import BENCHES, Bench, Document, single_figures


def register(commands: Commands) -> None:
    parser = commands.add_parser("bench", help="measure speed and memory")
    benches = parser.add_subparsers(title="benches", metavar="BENCH", required=True)

    def add(name: str, what: str) -> ArgumentParser:
        bench = add_command(benches, name, run, what)
        bench.add_argument(
            "--plot", type=Path, metavar="FILE.png", help="draw the figures (matplotlib)"
        )
        bench.set_defaults(bench=name, options=[])
        return bench

    def add_option(bench: ArgumentParser, option: str, default: Any, **details: Any) -> None:
        """An option that is handed to the bench."""
        plain: dict[str, Any] = {"type": positive, "metavar": "N", "help": f"default: {default}"}
        action = bench.add_argument(option, default=default, **plain | details)
        bench.get_default("options").append(action.dest)

    ttft = add("ttft", "first token against the length of the context")
    help = "tokens; several: a curve (default: 2500)"
    more = {"type": positives, "metavar": "N[,N]", "dest": "contexts", "help": help}
    add_option(ttft, "--context", [2_500], **more)
    add_option(ttft, "--repeats", 3, help="of each arm (default: 3)")
    turns = add("turns", "a long conversation through the real dialog")
    add_option(turns, "--turns", 100)
    recall = add("recall", "hybrid recall over many memories")
    help = "memories (default: 1000,10000,100000)"
    more = {"type": positives, "metavar": "N,N", "help": help}
    add_option(recall, "--sizes", [1_000, 10_000, 100_000], **more)
    add_option(recall, "--queries", 100)
    add_option(add("preempt", "how soon consolidation gives way"), "--interruptions", 20)
    exact = add("exact", "whether reusing the cache changes what is said")
    add_option(exact, "--turns", 50)
    spoken = add("spoken", "spoken turns from files at real pace, stage by stage")
    add_option(spoken, "--turns", 100)
    add("memory", "what is resident, part by part")
    start = add("start", "from a process to listening and first token")
    add_option(start, "--starts", 3, help="of each arm (default: 3)")


async def run(call: Call) -> int:
    """Measure, and draw what was measured, where that is asked for."""
    from companion.evaluation.plots import common

    asked = call.arguments
    if asked.plot is not None:
        common.require(asked.plot)  # before anything takes minutes
    bench = BENCHES[asked.bench]
    options = {name: getattr(asked, name) for name in asked.options}
    if asked.bench == "memory":
        options["path"] = asked.config
    with libraries() if asked.bench == "spoken" else nullcontext():
        result = await bench.measure(call.config, call.clock, note, **options)
    if asked.plot is not None:
        common.draw(asked.bench, result, asked.plot)
    return call.show(result, lambda: _show(result, bench))


def _show(result: Document, bench: Bench) -> None:
    """A row for each of the bench's own, and below it the figures that stand alone."""
    if found := bench.table(result):
        table(*found)
    table(["figure", "value"], list(single_figures(result)))
