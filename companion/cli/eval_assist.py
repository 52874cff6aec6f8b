"""`companion eval assist`: what is whispered, and how often it is right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.numbers import positive
from companion.cli.output import note, table
from companion.errors import UsageError

MOST_BLOCKS = 20


def register_assist(suites: Commands) -> None:
    parser = add_command(
        suites,
        "assist",
        run_assist,
        "recall at a touch, of what people told on several days",
        "Put what all people told into one store, with the written children's talk around it, ask "
        "for each missing word, and score by keywords and length. One file a person.",
    )
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE.json")
    parser.add_argument(
        "--arm",
        choices=("baseline", "query", "queryless", "all"),
        default="all",
        help="the whole answer without context; requests with a query and those that nothing "
        "answers; those without a query; all but the first (default: all)",
    )
    parser.add_argument(
        "--by", choices=("both", "cloze", "model"), help="who answers (default: assist.by)"
    )
    parser.add_argument(
        "--blocks", type=positive, metavar="N", help="pieces shown (default: assist.blocks)"
    )
    parser.add_argument(
        "--order", choices=("time", "best-last"), help="their order (default: assist.order)"
    )
    parser.add_argument("--alone", action="store_true", help="a store for each person")


async def run_assist(call: Call) -> int:
    from companion.evaluation.assist.run import run

    asked = call.arguments
    if asked.blocks is not None and asked.blocks > MOST_BLOCKS:
        raise UsageError(f"--blocks {asked.blocks}: at most {MOST_BLOCKS} are shown")
    chosen = {"by": asked.by, "blocks": asked.blocks, "order": asked.order}
    section = call.config.assist.model_copy(
        update={key: value for key, value in chosen.items() if value is not None}
    )
    config = call.config.model_copy(update={"assist": section})
    result = await run(config, asked.files, arm=asked.arm, alone=asked.alone, on_progress=note)
    return call.show(result, lambda: _show(result))


def _show(result: dict[str, Any]) -> None:
    rows = [
        (kind, n["n"], n["right"], n["unknown"], n["wrong"], n["long"], n["chars"])
        for kind in ("query", "queryless")
        if (n := result[kind])["n"]
    ]
    table(("requests", "n", "right", "unknown", "wrong", "too long", "characters"), rows)
    never = result["unanswerable"]
    print(f"unanswerable: {never['refused']} of {never['n']} refused")
    print(f"median: {result['ms']:.0f} ms, {result['evaluated_tokens']:.0f} tokens evaluated")
