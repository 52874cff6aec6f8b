"""`companion bench`: measure the speed of this machine with these models."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable, Iterator
from os import getloadavg
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.numbers import positive, positives
from companion.cli.output import note, table

if TYPE_CHECKING:
    from companion.config import Config

Document = dict[str, Any]
"""What a bench measured, as `--json` prints it."""


def register(commands: Commands) -> None:
    parser = commands.add_parser("bench", help="measure speed and memory")
    benches = parser.add_subparsers(title="benches", metavar="BENCH", required=True)

    def add(
        name: str,
        measure: Callable[[Call], Awaitable[Document]],
        models: tuple[str, ...],
        what: str,
        of: str = "",
        rows: Callable[[Document], Document] = lambda result: {},
    ) -> ArgumentParser:
        """models: the roles of those that it uses. rows: of a table by `of`."""
        bench = add_command(benches, name, run, what)
        bench.add_argument(
            "--plot", type=Path, metavar="FILE.png", help="draw the figures (matplotlib)"
        )
        bench.set_defaults(bench=name, measure=measure, models=models, of=of, rows=rows)
        return bench

    def add_number(bench: ArgumentParser, option: str, default: int, what: str = "") -> None:
        help = f"{what} (default: {default})" if what else f"default: {default}"
        bench.add_argument(option, type=positive, default=default, metavar="N", help=help)

    both = ("llm", "embedder")
    what = "first token against the length of the context"
    ttft = add("ttft", _ttft, ("llm",), what, "tokens, arm", _by_length)
    ttft.add_argument(
        "--context",
        type=positives,
        default=[2_500],
        metavar="N[,N]",
        help="tokens; several: a curve (default: 2500)",
    )
    add_number(ttft, "--repeats", 3, "of each arm")
    turns = add("turns", _turns, both, "a long conversation through the real dialog")
    add_number(turns, "--turns", 100)
    what = "hybrid recall over many memories"
    recall = add("recall", _recall, ("embedder",), what, "memories", _by_size)
    recall.add_argument(
        "--sizes",
        type=positives,
        default=[1_000, 10_000, 100_000],
        metavar="N,N",
        help="memories (default: 1000,10000,100000)",
    )
    add_number(recall, "--queries", 100)
    what = "how soon consolidation gives way"
    add_number(add("preempt", _preempt, ("inactive", "embedder"), what), "--interruptions", 20)
    what = "what is resident, part by part"
    add("memory", _memory, (*both, "stt", "tts"), what, "profile", _predictions)
    what = "from a process to listening and first token"
    start = add("start", _start, both, what, "arm", lambda result: dict(result["arms"]))
    add_number(start, "--starts", 3, "of each arm")


async def run(call: Call) -> int:
    """Measure, note what with; draw what was measured, where that is asked for."""
    from companion.evaluation.bench.made_with import made_with
    from companion.evaluation.plots import common

    asked = call.arguments
    if asked.plot is not None:
        common.require(asked.plot)  # before anything takes minutes
    load = getloadavg()[0]
    result: Document = await asked.measure(call)
    result["made_with"] = await asyncio.to_thread(made_with, call.config, asked.models, load)
    if asked.plot is not None:
        common.draw(asked.bench, result, asked.plot)
    return call.show(result, lambda: _show(result, asked.of, asked.rows(result)))


async def _ttft(call: Call) -> Document:
    from companion.evaluation.bench.ttft import run

    asked = call.arguments
    return await run(call.config, contexts=asked.context, repeats=asked.repeats, on_progress=note)


async def _turns(call: Call) -> Document:
    from companion.evaluation.bench.turns import run

    return await run(call.config, call.clock, turns=call.arguments.turns, on_progress=note)


async def _recall(call: Call) -> Document:
    from companion.evaluation.bench.recall import run

    asked = call.arguments
    return await run(
        call.config, call.clock, sizes=asked.sizes, queries=asked.queries, on_progress=note
    )


async def _preempt(call: Call) -> Document:
    from companion.evaluation.bench.preempt import run

    interruptions = call.arguments.interruptions
    return await run(call.config, call.clock, interruptions=interruptions, on_progress=note)


async def _memory(call: Call) -> Document:
    from companion.evaluation.bench.memory import run

    return await run(call.config, call.clock, profiles=_profiles(call), on_progress=note)


async def _start(call: Call) -> Document:
    from companion.evaluation.bench.start import run

    return await run(call.config, starts=call.arguments.starts, on_progress=note)


def _profiles(call: Call) -> dict[str, Config]:
    """The shipped profiles, over the configuration that is used."""
    from companion.config import load

    names = ("tiny", "laptop", "jetson", "jetson-4b")
    return {name: load(call.arguments.config, profile=name) for name in names}


def _by_length(result: Document) -> Document:
    """A row for each length and arm."""
    return {
        f"{length['context_tokens']:,} {arm}": figures
        for length in result["lengths"]
        for arm, figures in length["arms"].items()
    }


def _by_size(result: Document) -> Document:
    return {f"{n:,}": row for n, row in result["sizes"].items()}


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


def _show(result: Document, of: str, rows: Document) -> None:
    """A row for each of `rows`, and below it the figures that stand alone."""
    if rows:
        headings = list(dict.fromkeys(key for row in rows.values() for key in row))
        table(
            [of, *headings],
            [[name, *(row.get(key) for key in headings)] for name, row in rows.items()],
        )
    table(["figure", "value"], list(_flat(result)))


def _flat(result: Document) -> Iterator[tuple[str, Any]]:
    """Figures that are no tables of their own; a dictionary of numbers as `name.part`."""
    for key, value in result.items():
        if isinstance(value, dict):
            plain = value.values() if key != "each" else ()
            if plain and not any(isinstance(each, dict) for each in plain):
                yield from ((f"{key}.{part}", each) for part, each in value.items())
        elif not (isinstance(value, list) and value and isinstance(value[0], dict | float)):
            yield key, value
