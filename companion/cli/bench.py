"""`companion bench`: measure the speed of this machine with these models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.cli.call import Call, Commands, add_json_option
from companion.cli.output import note, table, write_json


def register(commands: Commands) -> None:
    parser = commands.add_parser("bench", help="measure speed")
    benches = parser.add_subparsers(title="benches", metavar="BENCH", required=True)
    recall = benches.add_parser("recall", help="hybrid recall over many memories")
    recall.add_argument(
        "--sizes", type=_sizes, default=[1_000, 10_000, 100_000], metavar="N,N", help="memories"
    )
    recall.add_argument("--queries", type=int, default=100, metavar="N")
    _finish(recall, run_recall)


def _finish(parser: Any, run: Any) -> None:
    add_json_option(parser)
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="draw the figures, too")
    parser.set_defaults(run=run)


def _sizes(text: str) -> list[int]:
    return [int(each) for each in text.split(",")]


async def run_recall(call: Call) -> int:
    from companion.evaluation import bench_recall, plots

    arguments = call.arguments
    if arguments.plot:
        plots.require()
    result = await bench_recall.run(
        call.config,
        call.clock,
        sizes=arguments.sizes,
        queries=arguments.queries,
        on_progress=note,
    )
    rows = result["sizes"]
    if arguments.plot:
        plots.recall(result, arguments.plot)
    return _show(arguments.json, result, list(rows[0]), [row.values() for row in rows])


def _show(json: bool, result: dict[str, Any], headings: list[str], rows: Any) -> int:
    if json:
        write_json(result)
    else:
        table(headings, [list(row) for row in rows])
    return 0
