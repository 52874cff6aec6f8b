"""`companion eval`: measure the quality of what is remembered and answered."""

from __future__ import annotations

from pathlib import Path

from companion.cli.call import Call, Commands, add_json_option
from companion.cli.output import note, write_json


def register(commands: Commands) -> None:
    parser = commands.add_parser("eval", help="measure quality")
    suites = parser.add_subparsers(title="suites", metavar="SUITE", required=True)
    qa = suites.add_parser(
        "qa",
        help="questions about recorded conversations",
        description="Replay each user's days, consolidate after each, ask every question in a "
        "new session and score the answers by keywords.",
    )
    qa.add_argument("sessions", type=Path, metavar="SESSIONS.jsonl")
    qa.add_argument("gold", type=Path, metavar="GOLD.jsonl")
    qa.add_argument("--arm", choices=("raw", "paper", "hybrid"), default="hybrid")
    qa.add_argument(
        "--work-dir", type=Path, metavar="DIR", help="keep the stores here, to go on after a cut"
    )
    add_json_option(qa)
    qa.set_defaults(run=run_qa)


async def run_qa(call: Call) -> int:
    from companion.evaluation.qa import run as run_questions

    arguments = call.arguments
    result = await run_questions(
        call.config,
        arguments.sessions,
        arguments.gold,
        arm=arguments.arm,
        work_dir=arguments.work_dir,
        on_progress=note,
    )
    if arguments.json:
        write_json(result)
        return 0
    print(f"{result['arm']}: {result['right']} of {result['n']} right ({result['share']:.0%})")
    for kind, marks in result["by_type"].items():
        print(f"  {kind:<16} {marks['right']} of {marks['n']}")
    return 0
