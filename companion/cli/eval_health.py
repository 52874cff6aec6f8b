"""`companion eval health`: allergies and health, in the words of a set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import note

_COUNTED = (
    ("telling", "recognised", "tellings recognised"),
    ("not", "taken", "others taken for one"),
    ("touching", "caught", "later remarks that touch it caught"),
    ("harmless", "caught", "harmless remarks caught"),
)


def register_health(suites: Commands) -> None:
    health = add_command(
        suites,
        "health",
        run_health,
        "are allergies and health understood",
        "Counts which tellings are recognised, which other lines are taken for one, and which "
        "later remarks are caught. Needs the embedder only.",
    )
    health.add_argument("file", type=Path, metavar="FILE.jsonl")


async def run_health(call: Call) -> int:
    from companion.evaluation.health import run

    result = await run(call.config, call.arguments.file, on_progress=note)
    return call.show(result, lambda: _show(result))


def _show(result: dict[str, Any]) -> None:
    for kind, name, words in _COUNTED:
        counts = result[kind]
        print(f"{counts[name]:>4} of {counts['n']:<4} {words}")
    wanted = {"telling": True, "not": False, "touching": True, "harmless": False}
    for line in result["lines"]:
        if line["found"] != wanted[line["kind"]]:
            told = f"{line['told']} | " if "told" in line else ""
            print(f"  {line['kind']:<9} {told}{line['text']}")
