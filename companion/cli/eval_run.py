"""`companion eval run` and `companion eval grade`: the paper's benchmark with simulated people."""

from __future__ import annotations

import argparse
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.numbers import positive
from companion.cli.output import counted, note, table, write_json
from companion.cli.progress import shown_items

if TYPE_CHECKING:
    from companion.config import LlmSection
    from companion.evaluation.simulation.character import Character
    from companion.evaluation.simulation.run import Cast, Settings

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
        "--arms", type=_arms, default=("raw", "paper", "hybrid"), metavar="ARM,ARM",
        help="of raw, paper, hybrid; default: all",
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
    from companion.cli.eval_tables import show_run
    from companion.evaluation.plots import common
    from companion.evaluation.simulation.run import run

    asked = call.arguments
    if asked.plot is not None:
        common.require(asked.plot)  # before anything takes hours
    settings, characters = _settings(asked), _characters(asked)
    async with AsyncExitStack() as stack:
        cast = await _cast(call, stack)
        steps, cost = await _show_cost(call, cast, settings, characters)
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
    from companion.assembly.models import open_language_model
    from companion.cli.eval_tables import show_agreement, show_run
    from companion.evaluation.simulation.asking import Asker
    from companion.evaluation.simulation.run import graded, regrade

    asked = call.arguments
    steps = graded(asked.work_dir)
    async with AsyncExitStack() as stack:
        section = _section(call, asked.judge, asked.judge_key)
        judge = Asker(await stack.enter_async_context(open_language_model(call.config, section)))
        with shown_items(steps) as on_progress:
            result = await regrade(asked.work_dir, judge, on_progress=on_progress)

    def show() -> None:
        show_run(result)
        show_agreement(result)

    call.show(result, show)
    return _told_of_parked(result)


def _told_of_parked(result: dict[str, Any]) -> int:
    for each in result["parked"]:
        note(f"companion: {each['item']}: parked: {each['why']}")
    if result["parked"]:
        note(f"companion: {counted(len(result['parked']), 'item')} parked; run it again to retry")
        return 1
    return 0


async def _cast(call: Call, stack: AsyncExitStack) -> Cast:
    """Load the models; user and judge are one object when they are the same model."""
    from companion.assembly.missing import Fail
    from companion.assembly.models import open_language_model, open_models
    from companion.evaluation.simulation.asking import Asker
    from companion.evaluation.simulation.run import Cast

    asked = call.arguments
    talks = _section(call, asked.user_model, asked.user_key)
    judges = _section(call, asked.judge, asked.judge_key)
    engines = await stack.enter_async_context(open_models(call.config, Fail()))
    user = judge = await stack.enter_async_context(open_language_model(call.config, talks))
    if judges != talks:
        judge = await stack.enter_async_context(open_language_model(call.config, judges))
    return Cast(engines, Asker(user), Asker(judge))


def _section(call: Call, spec: str, key: Path | None) -> LlmSection:
    from companion.evaluation.simulation.models import section_of

    return section_of(spec, call.config.llm.active, context=call.arguments.context, key_file=key)


async def _show_cost(
    call: Call, cast: Cast, settings: Settings, characters: list[Character] | None
) -> tuple[int, dict[str, Any]]:
    """Say what it will cost, on stderr; returns the steps to be expected, and the costs."""
    from companion.evaluation.simulation import cost
    from companion.evaluation.simulation.character import shipped

    plan = cost.Plan(
        settings.users,
        settings.days * settings.sessions,
        settings.turns,
        settings.questions,
        settings.arms,
    )
    people = shipped() if characters is None else characters
    loads = cost.estimate(plan, people[: settings.users])
    elsewhere = {
        "companion": call.config.llm.active.backend == "openai",
        "user": call.arguments.user_model.startswith("http"),
        "judge": call.arguments.judge.startswith("http"),
    }
    engines = cast.engines
    models = {"companion": engines.active, "user": cast.user.model, "judge": cast.judge.model}
    speeds: dict[str, cost.Speed] = {}
    for part, model in models.items():
        if part == "judge" and model is models["user"] and "user" in speeds:
            speeds[part] = speeds["user"]
        elif not elsewhere[part]:  # there, a trial may cost money
            speeds[part] = await cost.measured(model)
    rows = cost.as_json(loads, speeds)
    note("What it costs, roughly (what was done before in this folder costs nothing):")
    table(
        ["model", "name", "calls", "tokens read", "tokens written", "minutes"],
        [
            [part, cast.names[part], *(f"{n:,}" if n is not None else "" for n in row.values())]
            for part, row in rows.items()
        ],
        file=sys.stderr,
    )
    return cost.steps(plan, people[: settings.users]), rows


def _settings(asked: argparse.Namespace) -> Settings:
    from companion.evaluation.simulation.run import Settings

    names = ("users", "days", "sessions", "turns", "questions", "seed", "arms")
    return Settings(**{name: getattr(asked, name) for name in names})


def _characters(asked: argparse.Namespace) -> list[Character] | None:
    from companion.evaluation.simulation.character import read

    return None if asked.characters is None else [read(path) for path in asked.characters]


def _arms(text: str) -> tuple[str, ...]:
    known = ("raw", "paper", "hybrid")
    chosen = tuple(dict.fromkeys(text.split(",")))
    if not set(chosen) <= set(known):
        raise argparse.ArgumentTypeError(f"must be some of {', '.join(known)}")
    return chosen
