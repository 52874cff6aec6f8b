"""`companion bench`: measure the speed of this machine with these models."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from companion.cli.call import Call, Commands, Run, add_json_option
from companion.cli.output import note, table, write_json

Document = dict[str, Any]
"""What a bench measured, as `--json` prints it."""


def register(commands: Commands) -> None:
    parser = commands.add_parser("bench", help="measure speed")
    benches = parser.add_subparsers(title="benches", metavar="BENCH", required=True)
    ttft = _bench(benches, "ttft", run_ttft, "first token against the length of the context")
    ttft.add_argument("--context", type=_positive, default=2_500, metavar="N", help="tokens")
    ttft.add_argument("--repeats", type=_positive, default=3, metavar="N")
    turns = _bench(benches, "turns", run_turns, "a long conversation through the real dialog")
    turns.add_argument("--turns", type=_positive, default=100, metavar="N")
    recall = _bench(benches, "recall", run_recall, "hybrid recall over many memories")
    recall.add_argument(
        "--sizes", type=_sizes, default=[1_000, 10_000, 100_000], metavar="N,N", help="memories"
    )
    recall.add_argument("--queries", type=_positive, default=100, metavar="N")
    preempt = _bench(benches, "preempt", run_preempt, "how soon consolidation gives way")
    preempt.add_argument("--interruptions", type=_positive, default=20, metavar="N")
    _bench(benches, "memory", run_memory, "what is resident, part by part")
    start = _bench(benches, "start", run_start, "from a process to listening and first token")
    start.add_argument("--starts", type=_positive, default=3, metavar="N")


def _bench(benches: Commands, name: str, run: Run, what: str) -> ArgumentParser:
    parser = benches.add_parser(name, help=what)
    add_json_option(parser)
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="draw the figures, too")
    parser.set_defaults(run=run)
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ArgumentTypeError("must be 1 or more")
    return number


def _sizes(text: str) -> list[int]:
    return [_positive(each) for each in text.split(",")]


async def run_ttft(call: Call) -> int:
    from companion.evaluation import bench_ttft

    asked = call.arguments
    result = await _measured(
        call,
        lambda: bench_ttft.run(
            call.config, context=asked.context, repeats=asked.repeats, on_progress=note
        ),
    )
    return _show(call, result, "arm", result["arms"])


async def run_turns(call: Call) -> int:
    from companion.evaluation import bench_turns

    result = await _measured(
        call,
        lambda: bench_turns.run(
            call.config, call.clock, turns=call.arguments.turns, on_progress=note
        ),
    )
    return _show(call, result)


async def run_recall(call: Call) -> int:
    from companion.evaluation import bench_recall

    asked = call.arguments
    result = await _measured(
        call,
        lambda: bench_recall.run(
            call.config, call.clock, sizes=asked.sizes, queries=asked.queries, on_progress=note
        ),
    )
    return _show(call, result, "memories", {f"{n:,}": row for n, row in result["sizes"].items()})


async def run_preempt(call: Call) -> int:
    from companion.evaluation import bench_preempt

    result = await _measured(
        call,
        lambda: bench_preempt.run(
            call.config, call.clock, interruptions=call.arguments.interruptions, on_progress=note
        ),
    )
    return _show(call, result)


async def run_memory(call: Call) -> int:
    from companion.evaluation import bench_memory

    result = await _measured(
        call, lambda: bench_memory.run(call.config, call.clock, on_progress=note)
    )
    return _show(call, result)


async def run_start(call: Call) -> int:
    from companion.evaluation import bench_start

    result = await _measured(
        call,
        lambda: bench_start.run(call.config, starts=call.arguments.starts, on_progress=note),
    )
    return _show(call, result, "arm", result["arms"])


async def _measured(call: Call, measure: Callable[[], Awaitable[Document]]) -> Document:
    """Measure; draw what was measured, where that is asked for."""
    from companion.evaluation import plots

    file = call.arguments.plot
    if file is not None:
        plots.require()  # before anything takes minutes
    result = await measure()
    if file is not None:
        plots.draw(result, file)
    return result


def _show(call: Call, result: Document, of: str = "", rows: Document | None = None) -> int:
    """JSON, or a table: a row for each of `rows`, and below it the figures that stand alone."""
    if call.arguments.json:
        write_json(result)
        return 0
    if rows:
        headings = list(dict.fromkeys(key for row in rows.values() for key in row))
        table(
            [of, *headings],
            [[name, *(row.get(key) for key in headings)] for name, row in rows.items()],
        )
    table(["figure", "value"], list(_flat(result)))
    return 0


def _flat(result: Document) -> Iterator[tuple[str, Any]]:
    """Figures that are no tables of their own; a dictionary of numbers as `name.part`."""
    for key, value in result.items():
        if not isinstance(value, dict):
            yield key, value
        elif not any(isinstance(each, dict) for each in value.values()):
            yield from ((f"{key}.{part}", each) for part, each in value.items())
