"""`companion bench`: measure the speed of this machine with these models."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable, Iterator
from os import getloadavg
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.call import Call, Commands, Run, add_json_option
from companion.cli.numbers import positive, positives
from companion.cli.output import note, table, write_json

if TYPE_CHECKING:
    from companion.config import Config

Document = dict[str, Any]
"""What a bench measured, as `--json` prints it."""


def register(commands: Commands) -> None:
    parser = commands.add_parser("bench", help="measure speed and memory")
    benches = parser.add_subparsers(title="benches", metavar="BENCH", required=True)
    ttft = _bench(
        benches, "ttft", run_ttft, ("llm",), "first token against the length of the context"
    )
    ttft.add_argument(
        "--context",
        type=positives,
        default=[2_500],
        metavar="N[,N]",
        help="tokens; several: a curve (default: 2500)",
    )
    ttft.add_argument(
        "--repeats", type=positive, default=3, metavar="N", help="of each arm (default: 3)"
    )
    both = ("llm", "embedder")
    turns = _bench(benches, "turns", run_turns, both, "a long conversation through the real dialog")
    turns.add_argument("--turns", type=positive, default=100, metavar="N", help="default: 100")
    recall = _bench(
        benches, "recall", run_recall, ("embedder",), "hybrid recall over many memories"
    )
    recall.add_argument(
        "--sizes",
        type=positives,
        default=[1_000, 10_000, 100_000],
        metavar="N,N",
        help="memories (default: 1000,10000,100000)",
    )
    recall.add_argument("--queries", type=positive, default=100, metavar="N", help="default: 100")
    preempt = _bench(
        benches,
        "preempt",
        run_preempt,
        ("inactive", "embedder"),
        "how soon consolidation gives way",
    )
    preempt.add_argument(
        "--interruptions", type=positive, default=20, metavar="N", help="default: 20"
    )
    all_parts = (*both, "stt", "tts")
    _bench(benches, "memory", run_memory, all_parts, "what is resident, part by part")
    start = _bench(benches, "start", run_start, both, "from a process to listening and first token")
    start.add_argument(
        "--starts", type=positive, default=3, metavar="N", help="of each arm (default: 3)"
    )


def _bench(
    benches: Commands, name: str, run: Run, models: tuple[str, ...], what: str
) -> ArgumentParser:
    """models: the roles of those that it uses."""
    parser = benches.add_parser(name, help=what)
    add_json_option(parser)
    parser.add_argument(
        "--plot", type=Path, metavar="FILE.png", help="draw the figures (matplotlib)"
    )
    parser.set_defaults(run=run, bench=name, models=models)
    return parser


async def run_ttft(call: Call) -> int:
    from companion.evaluation import bench_ttft

    asked = call.arguments
    result = await _measured(
        call,
        lambda: bench_ttft.run(
            call.config, contexts=asked.context, repeats=asked.repeats, on_progress=note
        ),
    )
    return _show(call, result, "tokens, arm", _by_length(result))


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
        call,
        lambda: bench_memory.run(
            call.config, call.clock, profiles=_profiles(call), on_progress=note
        ),
    )
    return _show(call, result, "profile", _predictions(result))


async def run_start(call: Call) -> int:
    from companion.evaluation import bench_start

    result = await _measured(
        call,
        lambda: bench_start.run(call.config, starts=call.arguments.starts, on_progress=note),
    )
    return _show(call, result, "arm", result["arms"])


async def _measured(call: Call, measure: Callable[[], Awaitable[Document]]) -> Document:
    """Measure, note what with; draw what was measured, where that is asked for."""
    from companion.evaluation import plots
    from companion.evaluation.made_with import made_with

    file, models = call.arguments.plot, call.arguments.models
    if file is not None:
        plots.require(file)  # before anything takes minutes
    load = getloadavg()[0]
    result = await measure()
    result["made_with"] = await asyncio.to_thread(made_with, call.config, models, load)
    if file is not None:
        plots.draw(call.arguments.bench, result, file)
    return result


def _profiles(call: Call) -> dict[str, Config]:
    """The shipped profiles, over the configuration that is used."""
    from companion.config import load

    return {
        name: load(call.arguments.config, profile=name) for name in ("tiny", "laptop", "jetson")
    }


def _by_length(result: Document) -> Document:
    """A row for each length and arm."""
    return {
        f"{length['context_tokens']:,} {arm}": figures
        for length in result["lengths"]
        for arm, figures in length["arms"].items()
    }


def _predictions(result: Document) -> Document:
    """A row for each profile, in megabytes."""
    return {
        name: {
            **{term: f"{each['bytes'] / 1e6:,.0f}" for term, each in found["terms"].items()},
            "total MB": f"{found['total'] / 1e6:,.0f}",
            "of MB": f"{found['room'] / 1e6:,.0f}",
            "fits": found["fits"],
        }
        for name, found in result["prediction"].items()
    }


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
        if isinstance(value, dict):
            plain = value.values() if key != "each" else ()
            if plain and not any(isinstance(each, dict) for each in plain):
                yield from ((f"{key}.{part}", each) for part, each in value.items())
        elif not (isinstance(value, list) and value and isinstance(value[0], dict | float)):
            yield key, value
