"""`companion eval talk`, `talk-form`, `talk-grades`: what is answered, and what readers think."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import note, table
from companion.errors import UsageError
from companion.evaluation.talk.arms import TALK_ARMS


def register_talk(suites: Commands) -> None:
    talk = add_command(
        suites,
        "talk",
        run_talk,
        "what is answered to single messages",
        "Answer each message of a set in a talk of its own. A line of a set: "
        '{"age": …, "before": [[said, reply], …], "said": …, "kind": …, "good": …}.',
    )
    talk.add_argument("set", type=Path, metavar="SET.jsonl")
    talk.add_argument(
        "--arm",
        choices=TALK_ARMS,
        default="all",
        help="the model alone, the model and one thing more, or all of it (default: all)",
    )
    form = add_command(
        suites,
        "talk-form",
        run_form,
        "replies of several variants, as a form for readers",
        "Mix what several variants answered to the same messages, so that a reader can grade it "
        "blind. The key, which readers are not given, is written beside the form.",
        json=None,
    )
    form.add_argument("form", type=Path, metavar="FORM.md")
    form.add_argument(
        "variants", nargs="+", metavar="NAME=RESULT.json",
        help="a variant, and what `eval talk --json` wrote of it",
    )  # fmt: skip
    grades = add_command(
        suites,
        "talk-grades",
        run_grades,
        "what readers think of the replies in a form",
        "Mean grades, shares and flags by variant, wins, and how far the readers agree.",
    )
    grades.add_argument("form", type=Path, metavar="FORM.md")
    grades.add_argument("key", type=Path, metavar="FORM.key.json")
    grades.add_argument("grades", type=Path, nargs="+", metavar="GRADES.txt", help="one a reader")


async def run_talk(call: Call) -> int:
    from companion.evaluation.talk.run import run

    asked = call.arguments
    result = await run(call.config, asked.set, arm=asked.arm, on_progress=note)
    return call.show(result, lambda: _show(result))


def _show(result: dict[str, Any]) -> None:
    for each in result["replies"]:
        print(f"> {each['said']}\n  {each['reply']}  [{each['by']}]\n")
    for by, count in sorted(result["by"].items()):
        print(f"{by:<20} {count} of {len(result['replies'])}")


def run_form(call: Call) -> int:
    from companion.evaluation.talk.form import read_replies, write_form

    variants = {}
    for given in call.arguments.variants:
        name, _, file = given.partition("=")
        if not name or not file or name in variants:
            raise UsageError(f"{given!r}: expected NAME=RESULT.json, each name once")
        variants[name] = read_replies(Path(file))
    key = write_form(call.arguments.form, variants)
    note(f"for readers, with HOW.md: {call.arguments.form}; not for readers: {key}")
    return 0


def run_grades(call: Call) -> int:
    from companion.evaluation.talk.grades import graded

    asked = call.arguments
    result = graded(asked.form, asked.key, asked.grades)
    return call.show(result, lambda: _show_grades(result))


def _show_grades(result: dict[str, Any]) -> None:
    rows = []
    for name, figures in result["variants"].items():
        rows.append(_row(name, figures))
        rows += [_row(f"  {by}", each) for by, each in figures["by"].items()]
    table(("variant", "replies", "mean", "fine", "fact", "ability", "tactless", "misses"), rows)
    for pair, count in result["wins"].items():
        print(f"{pair}: {count['won']} won, {count['lost']} lost, {count['same']} alike")
    for readers, each in result["agreement"].items():
        print(
            f"{readers}: the same grade {each['same']:.0%}, within one {each['within_one']:.0%}, "
            f"kappa {each['kappa']}; fine or not, kappa {each['kappa_fine']}"
        )


def _row(name: str, figures: dict[str, Any]) -> tuple[Any, ...]:
    return (name, figures["n"], f"{figures['mean']:.2f}", f"{figures['fine']:.0%}",
            *figures["flags"].values())  # fmt: skip
