"""`companion eval run` and `companion eval grade`: the paper's benchmark with simulated people."""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.numbers import positive
from companion.cli.output import counted, note, table, write_json
from companion.cli.progress import shown_items
from companion.evaluation.arms import ARMS

MODELS = "local (the companion's own), a name of models/manifest.yaml, a .gguf file, or a server as"
SERVER = "http://host:8080/v1#MODEL"


def register_run(suites: Commands) -> None:
    run = add_command(
        suites,
        "run",
        run_run,
        "the paper's benchmark, with simulated people and a judge",
        "Simulated people talk with each arm for days; then questions are asked, and "
        "a judge marks what came of it. Stopped at any moment, the next run goes on.",
    )
    for option, default, what in (
        ("--users", 1, "people; five are written, further ones are generated"),
        ("--days", 3, "days of talk"),
        ("--sessions", 1, "sessions a day"),
        ("--turns", 4, "turns a session"),
        ("--questions", 2, "questions of each type that the judge makes"),
    ):
        run.add_argument(
            option, type=positive, default=default, metavar="N", help=f"{what} ({default})"
        )
    run.add_argument("--seed", type=int, default=0, metavar="N", help="of every chance (0)")
    run.add_argument(
        "--arms", type=_arms, default=ARMS, metavar="ARM,ARM",
        help=f"of {', '.join(ARMS)}; default: all",
    )  # fmt: skip
    run.add_argument(
        "--characters", type=Path, nargs="+", metavar="FILE.yaml",
        help="people of your own, instead of the written ones",
    )  # fmt: skip
    run.add_argument(
        "--user-model", default="local", metavar="MODEL", help=f"{MODELS} {SERVER}; default: local"
    )
    run.add_argument("--user-key", type=Path, metavar="FILE", help="the server's API key")
    _add_judge(run)
    run.add_argument("--estimate", action="store_true", help="show what it would cost, and stop")
    run.add_argument("--plot", type=Path, metavar="FILE.png", help="coverage over the sessions")


def register_grade(suites: Commands) -> None:
    grade = add_command(
        suites,
        "grade",
        run_grade,
        "let another judge grade a run",
        "Ask another judge the very same, and compare the two gradings.",
    )
    _add_judge(grade)


def _add_judge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--work-dir", type=Path, default=Path("companion-eval"), metavar="DIR",
        help="where everything of the run is kept; default: companion-eval",
    )  # fmt: skip
    parser.add_argument(
        "--judge", default="local", metavar="MODEL", help="as --user-model; default: local"
    )
    parser.add_argument("--judge-key", type=Path, metavar="FILE", help="the server's API key")
    parser.add_argument(
        "--context", type=positive, metavar="N",
        help="tokens that user model and judge can read; default: 8192 here, 32768 of a server",
    )  # fmt: skip


async def run_run(call: Call) -> int:
    from companion.evaluation.plots import common
    from companion.evaluation.simulation.cast import Part, foreseen, open_cast
    from companion.evaluation.simulation.character import read
    from companion.evaluation.simulation.run import Settings, run
    from companion.evaluation.simulation.tables import of_cost

    asked = call.arguments
    if asked.plot is not None:
        common.require(asked.plot)  # before anything takes hours
    settings = Settings(**{each.name: getattr(asked, each.name) for each in fields(Settings)})
    characters = asked.characters and [read(path) for path in asked.characters]
    user = Part(asked.user_model, asked.user_key, asked.context)
    judge = Part(asked.judge, asked.judge_key, asked.context)
    async with open_cast(call.config, user, judge) as cast:
        steps, cost = await foreseen(call.config, settings, cast, user, judge, characters)
        title, headings, rows = of_cost(cost, cast.names)
        note(title)
        table(headings, rows, file=sys.stderr)
        if asked.estimate:
            if asked.json:
                write_json(cost)
            return 0
        with shown_items(steps) as on_progress:
            result = await run(
                call.config,
                settings,
                cast,
                asked.work_dir,
                characters=characters,
                on_progress=on_progress,
            )
    if asked.plot is not None:
        common.draw("run", result, asked.plot)
    call.show(result, lambda: show_run(result))
    return _told_of_parked(result)


async def run_grade(call: Call) -> int:
    from companion.evaluation.simulation.cast import Part, open_asker
    from companion.evaluation.simulation.run import graded, regrade

    asked = call.arguments
    steps = graded(asked.work_dir)
    part = Part(asked.judge, asked.judge_key, asked.context)
    async with open_asker(call.config, part) as judge:
        with shown_items(steps) as on_progress:
            result = await regrade(asked.work_dir, judge, on_progress=on_progress)

    call.show(result, lambda: show_run(result))
    return _told_of_parked(result)


def show_run(result: dict[str, Any]) -> None:
    """The tables, what to bear in mind, and the agreement of two gradings."""
    from companion.evaluation.simulation.tables import of_agreement, of_run

    for title, headings, rows in of_run(result):
        print(f"\n{title}")
        table(headings, rows)
    print(
        f"\n{counted(result['judgements'], 'judgement')} by {result['models']['judge']}; "
        f"{result['shortened']} saw only the end of the talk; the user model fell out of its role "
        f"for good in {counted(result['said_by_code'], 'line')}, which code said."
    )
    print("Before comparing with the paper's columns:")
    for line in result["differences"]:
        print(f"- {line}")
    if "agreement" in result:
        title, headings, rows = of_agreement(result)
        print(f"\n{title}")
        table(headings, rows)


def _told_of_parked(result: dict[str, Any]) -> int:
    for each in result["parked"]:
        note(f"companion: {each['item']}: parked: {each['why']}")
    if result["parked"]:
        note(f"companion: {counted(len(result['parked']), 'item')} parked; run it again to retry")
        return 1
    return 0


def _arms(text: str) -> tuple[str, ...]:
    chosen = tuple(dict.fromkeys(text.split(",")))
    if not set(chosen) <= set(ARMS):
        raise argparse.ArgumentTypeError(f"must be some of {', '.join(ARMS)}")
    return chosen
