"""`companion eval memories`: what is kept of a written life."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import note


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


async def run_memories(call: Call) -> int:
    from companion.evaluation.memories.run import run

    asked = call.arguments
    result = await run(
        call.config, asked.sessions, asked.gold, work_dir=asked.work_dir, on_progress=note
    )
    return call.show(result, lambda: _show(result))


def _show(result: dict[str, Any]) -> None:
    facts, traps = result["facts"], result["traps"]
    per_turn = f"{result['seconds_per_turn']:.1f} s a turn"
    print(f"{result['user']}: memories kept: {result['kept']}, {per_turn}")
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
