"""`companion eval memories`, `form` and `grades`: what is kept of a written life, and what readers
think of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import note, table
from companion.errors import InputError, UsageError

if TYPE_CHECKING:
    from companion.evaluation.memories.form import Result

ONLY = "this"
"""The variant's name in a form of one run."""


def register(suites: Commands) -> None:
    memories = add_command(
        suites,
        "memories",
        run_memories,
        "what is kept of a written life, and answered from it",
        "Replay a life day by day, consolidate each night, compare what is kept with the gold "
        "facts and traps, and ask the gold questions on the day after: with raw turns, and with "
        "raw turns expired.",
    )
    memories.add_argument("sessions", type=Path, metavar="SESSIONS.jsonl")
    memories.add_argument("gold", type=Path, metavar="GOLD.json")
    memories.add_argument(
        "--work-dir", type=Path, metavar="DIR", help="keep the store here, to go on after a cut"
    )
    memories.add_argument(
        "--form", type=Path, metavar="FILE.md", help="write the memories as a form for readers"
    )
    form = add_command(
        suites,
        "form",
        run_form,
        "memories of one life by several variants, as a form for readers",
        "Mix what several variants kept of one life, so that a reader can grade it blind. The "
        "key, which readers are not given, is written beside the form.",
        json=None,
    )
    form.add_argument("form", type=Path, metavar="FORM.md")
    form.add_argument(
        "variants", nargs="+", metavar="NAME=RESULT.json",
        help="a variant, and what `eval memories --json` wrote of it",
    )  # fmt: skip
    grades = add_command(
        suites,
        "grades",
        run_grades,
        "what readers think of the memories in a form",
        "Shares, completeness and updates by variant, and how far the readers agree.",
    )
    grades.add_argument("form", type=Path, metavar="FORM.md")
    grades.add_argument("key", type=Path, metavar="FORM.key.json")
    grades.add_argument("grades", type=Path, nargs="+", metavar="GRADES.txt", help="one a reader")


async def run_memories(call: Call) -> int:
    from companion.evaluation.memories.form import Result
    from companion.evaluation.memories.run import run

    asked = call.arguments
    if asked.form is not None and asked.form.exists():  # before anything takes hours
        raise InputError(f"{asked.form}: is there already; choose another name")
    result = await run(
        call.config, asked.sessions, asked.gold, work_dir=asked.work_dir, on_progress=note
    )
    if asked.form is not None:
        _write(asked.form, {ONLY: Result.model_validate(result)})
    return call.show(result, lambda: _show(result))


def _show(result: dict[str, Any]) -> None:
    facts, traps = result["facts"], result["traps"]
    print(f"{result['user']}: memories kept: {result['kept']}")
    if result["seconds_per_turn"] is not None:
        print(f"  a night takes    {result['seconds_per_turn']:.1f} s a turn")
    print(f"  facts found      {facts['found']} of {facts['n']}")
    print(f"  of those to last {facts['lasting']['found']} of {facts['lasting']['n']}")
    print(f"  traps stored     {traps['stored']} of {traps['n']}")
    for key, title in (("questions", "with raw turns"), ("questions_expired", "turns expired")):
        figures = result[key]
        print(f"  right, {title:<15} {figures['right']} of {figures['n']}")
        untold, told = figures["never_told"], figures["told"]
        print(
            f"    never told: admitted {untold['admitted']} of {untold['n']}; "
            f"told: refused {told['refused']} of {told['n']}"
        )


def run_form(call: Call) -> int:
    from companion.evaluation.memories.form import read_result

    variants: dict[str, Result] = {}
    for given in call.arguments.variants:
        name, _, file = given.partition("=")
        if not name or not file or name in variants:
            raise UsageError(f"{given!r}: expected NAME=RESULT.json, each name once")
        variants[name] = read_result(Path(file))
    _write(call.arguments.form, variants)
    return 0


def _write(form: Path, variants: dict[str, Result]) -> None:
    from companion.evaluation.memories.form import write_form

    key = write_form(form, variants)
    note(f"for readers, with HOW.md: {form}; not for readers: {key}")


def run_grades(call: Call) -> int:
    from companion.evaluation.memories.grades import graded

    asked = call.arguments
    result = graded(asked.form, asked.key, asked.grades)
    return call.show(result, lambda: _show_grades(result))


def _show_grades(result: dict[str, Any]) -> None:
    table(
        ("variant", "memories", "good", "trivial", "wrong", "garbled", "facts", "lasting",
         "updated"),
        [
            (name, each["memories"], *map(_percent, each["shares"].values()),
             *(_percent(each[key]) for key in ("complete", "complete_lasting", "updated")))
            for name, each in result["variants"].items()
        ],
    )  # fmt: skip
    for readers, figures in result["agreement"].items():
        both, either = figures["facts"]["both"], figures["facts"]["either"]
        print(
            f"{readers}: the same grade {_percent(figures['same'])}, kappa {figures['kappa']}; "
            f"facts seen by both {both} of {either}"
        )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"
