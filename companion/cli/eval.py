"""`companion eval`: measure the quality of what is remembered and answered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.eval_assist import register_assist
from companion.cli.eval_forgetting import register_forgetting
from companion.cli.eval_health import register_health
from companion.cli.eval_memories import register as register_memories
from companion.cli.eval_run import register_grade, register_run
from companion.cli.eval_talk import register_talk
from companion.cli.numbers import positive
from companion.cli.output import counted, note, table
from companion.errors import UsageError
from companion.evaluation.arms import QA_ARMS


def register(commands: Commands) -> None:
    parser = commands.add_parser("eval", help="measure quality")
    suites = parser.add_subparsers(title="suites", metavar="SUITE", required=True)
    qa = add_command(
        suites,
        "qa",
        run_qa,
        "questions about recorded conversations",
        "Replay each user's days, consolidate after each, ask every question in a "
        "new session and score the answers by keywords.",
    )
    qa.add_argument("sessions", type=Path, metavar="SESSIONS.jsonl")
    qa.add_argument(
        "gold", type=Path, nargs="+", metavar="GOLD", help="GOLD.jsonl, or a written life's .json"
    )
    qa.add_argument(
        "--arm",
        choices=QA_ARMS,
        default="hybrid",
        help="nothing recalled; only raw turns; the paper's system, without and with forgetting; "
        "its recall alone; ours (default: hybrid)",
    )
    qa.add_argument(
        "--turns-expired",
        action="store_true",
        help="ask without raw turns, as after forgetting.turn_days",
    )
    extraction = add_command(
        suites,
        "extraction",
        run_extraction,
        "what is learnt from written sessions of children",
        "Replay each child's sessions, consolidate after each, and compare what is "
        "remembered with the gold facts and traps of the set, by rule.",
    )
    extraction.add_argument(
        "set", type=Path, nargs="?", metavar="FOLDER", help="a set of your own (default: shipped)"
    )
    extraction.add_argument("--split", choices=("dev", "held-out"), help="only these children")
    extraction.add_argument(
        "--child", action="append", default=[], metavar="NAME", help="only this one; repeatable"
    )
    for suite in (qa, extraction):
        suite.add_argument(
            "--work-dir",
            type=Path,
            metavar="DIR",
            help="keep the stores here, to go on after a cut",
        )
    register_memories(suites)
    retrieval = add_command(
        suites,
        "retrieval",
        run_retrieval,
        "is the evidence of questions in what is recalled",
        "Recall over long conversations with evidence labels (LoCoMo's format: one FILE.json, and "
        "label_errors.json beside it corrects its labels), or over written lives (LIFE.jsonl ..., "
        "LIFE_gold.json beside each), without any language model.",
    )
    retrieval.add_argument("files", type=Path, nargs="+", metavar="FILE")
    retrieval.add_argument(
        "--arm",
        choices=("hybrid", "paper"),
        default="hybrid",
        help="what the dialog recalls, or recall as published (default: hybrid)",
    )
    retrieval.add_argument(
        "--budget",
        type=positive,
        metavar="TOKENS",
        help="most tokens of a block, in words and marks (default: retrieval.budget_tokens)",
    )
    register_forgetting(suites)
    guard = add_command(
        suites,
        "guard",
        run_guard,
        "what the guard stops of sentences with labels",
        "Judge every sentence as a child's words are judged, without any language model, and count "
        'by group and topic. A line of a set: {"text": …, "group": …, "topic": …}.',
    )
    guard.add_argument("files", type=Path, nargs="+", metavar="FILE.jsonl")
    register_health(suites)
    register_talk(suites)
    register_assist(suites)
    register_run(suites)
    register_grade(suites)


async def run_qa(call: Call) -> int:
    from companion.evaluation.qa.run import run as run_questions

    arguments = call.arguments
    result = await run_questions(
        call.config,
        arguments.sessions,
        arguments.gold,
        arm=arguments.arm,
        expired=arguments.turns_expired,
        work_dir=arguments.work_dir,
        on_progress=note,
    )
    return call.show(result, lambda: _show_qa(result))


def _show_qa(result: dict[str, Any]) -> None:
    arm = result["arm"] + (", raw turns expired" if result["expired"] else "")
    print(f"{arm}: {result['right']} of {result['n']} right ({result['share']:.0%})")
    for kind, marks in result["by_type"].items():
        print(f"  {kind:<16} {marks['right']} of {marks['n']}")
    untold, told = result["never_told"], result["told"]
    print(f"  never told and admitted {untold['admitted']} of {untold['n']}")
    print(f"  told and yet refused    {told['refused']} of {told['n']}")


async def run_extraction(call: Call) -> int:
    from companion.evaluation.extraction.gold import SHIPPED
    from companion.evaluation.extraction.run import run as run_children

    arguments = call.arguments
    result = await run_children(
        call.config,
        arguments.set or SHIPPED,
        split=arguments.split,
        names=arguments.child,
        work_dir=arguments.work_dir,
        on_progress=note,
    )
    return call.show(result, lambda: _show_extraction(result))


def _show_extraction(result: dict[str, Any]) -> None:
    from companion.evaluation.extraction.marks import HEADINGS, rows

    table(HEADINGS, rows(result))


async def run_retrieval(call: Call) -> int:
    from companion.evaluation.retrieval.run import run as run_questions

    arguments = call.arguments
    files, arm, budget = arguments.files, arguments.arm, arguments.budget
    if any(file.suffix == ".jsonl" for file in files):
        return await _run_told(call, files, arm, budget)
    if len(files) > 1:
        raise UsageError("one FILE.json at a time; several files are lives (LIFE.jsonl)")
    result = await run_questions(call.config, files[0], arm=arm, on_progress=note, budget=budget)
    return call.show(result, lambda: _show_retrieval(result))


async def _run_told(call: Call, files: list[Path], arm: str, budget: int | None) -> int:
    from companion.evaluation.retrieval.told import run as run_lives

    if arm != "hybrid":
        raise UsageError("lives are measured with --arm hybrid only")
    result = await run_lives(call.config, files, on_progress=note, budget=budget)
    return call.show(result, lambda: _show_told(result))


def _show_told(result: dict[str, Any]) -> None:
    for name, marks in {**result["lives"], "all": result}.items():
        best = ", ".join(f"{share:.2f} in {k}" for k, share in marks["best"].items())
        never = marks["never_told"]
        print(
            f"{name}: {marks['block']:.2f} of {counted(marks['n'], 'question')} in "
            f"{marks['mean_tokens']:.0f} tokens; best lines: {best}; "
            f"refused {marks['refused']:.2f}, never told and admitted {never['admitted']:.2f} "
            f"of {never['n']}"
        )


def _show_retrieval(result: dict[str, Any]) -> None:
    low, high = result["ci95"]
    print(
        f"{result['arm']}: recall {result['recall']:.3f} ({low:.3f} to {high:.3f}) of "
        f"{counted(result['n'], 'question')}, {result['mean_tokens']:.0f} tokens, "
        f"{result['p50_ms']:.1f} ms (p99 {result['p99_ms']:.1f})"
    )
    for group, title in (("by_category", "category"), ("by_conversation", "conversation")):
        for key, marks in result[group].items():
            print(f"  {title} {key:<4} {marks['recall']:.3f} of {marks['n']}")


async def run_guard(call: Call) -> int:
    from companion.evaluation.guarded import run as run_sentences

    result = await run_sentences(call.config, call.arguments.files)
    return call.show(result, lambda: _show_guard(result))


def _show_guard(result: dict[str, Any]) -> None:
    for key, title in (("by_group", "group"), ("by_topic", "topic")):
        rows = (
            (name, n["n"], f"{n['stopped']} ({n['stopped'] / n['n']:.0%})", n["cared"])
            for name, n in result[key].items()
        )
        table((title, "sentences", "stopped", "cared for"), rows)
