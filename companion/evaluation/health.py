"""`companion eval health`: are allergies and health understood, and what touches them later.

Lines: `{kind: telling, text, what, whose}`, `{kind: not, text}`, and `{kind: ask, told, text,
touches}`: a later remark, when `told` had been told. A telling counts as recognised when it is
taken for the speaker's own (`whose: child`, also when a parent speaks of the child), or for
somebody's when it is another's. `not` is taken when it is taken for the speaker's own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from companion.assembly.guard import build_health
from companion.assembly.models import open_embedder
from companion.config import Config
from companion.evaluation.sets import read_lines
from companion.safety.health import Health


class HealthLine(BaseModel):
    """One line of a set."""

    kind: Literal["telling", "not", "ask"]
    text: str
    whose: str = "child"
    told: str = ""
    touches: bool = False


async def run(config: Config, path: Path, *, on_progress: Callable[[str], None]) -> dict[str, Any]:
    """Counts, and every line with what became of it. Raises InputError, ModelFileError."""
    lines = list(read_lines(path, HealthLine))
    on_progress(f"{len(lines)} lines")
    async with open_embedder(config) as embedder:
        health = build_health(config, embedder)
        rows = [await _judged(health, line) for line in lines]
    return {
        "telling": _count(rows, "telling", "recognised"),
        "not": _count(rows, "not", "taken"),
        "touching": _count(rows, "touching", "caught"),
        "harmless": _count(rows, "harmless", "caught"),
        "lines": rows,
    }


async def _judged(health: Health, line: HealthLine) -> dict[str, Any]:
    if line.kind == "ask":
        found = bool(await health.met(line.text, [line.told]))
        kind = "touching" if line.touches else "harmless"
        return {"kind": kind, "told": line.told, "text": line.text, "found": found}
    telling = await health.tells(line.text)
    whose = telling.whose if telling is not None else None
    any_counts = line.kind == "telling" and line.whose != "child"
    found = whose == "own" or (any_counts and whose is not None)
    return {"kind": line.kind, "text": line.text, "found": found, "whose": whose}


def _count(rows: list[dict[str, Any]], kind: str, name: str) -> dict[str, int]:
    found = [row["found"] for row in rows if row["kind"] == kind]
    return {"n": len(found), name: sum(found)}
