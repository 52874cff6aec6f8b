"""How well the days that people mean are read from what they say. No model.

    .venv/bin/python scripts/eval_said_days.py SET.jsonl [--json] [--wrong]

A line is `{now, line, said, days}` (tests/strangers/said_days/HOW.md). Right is a line of which
exactly its days are found. Of the others: `invented` has a day that nobody meant, `missed` lacks
one and has no other.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from datetime import datetime, time, timezone
from pathlib import Path
from typing import Any

from companion import language

NOON = time(12, tzinfo=timezone.utc)


def found(row: dict[str, Any]) -> list[str]:
    """The days that are read, as ISO dates or stretches."""
    now = datetime.combine(datetime.fromisoformat(row["now"]).date(), NOON)
    said = language.self_repair.repaired(row["said"])  # as the night reads it
    return [each.iso for each in language.dates.days_told(said, row["line"], now)]


def verdict(row: dict[str, Any]) -> str:
    """`right`, `invented` or `missed`."""
    days, meant = set(found(row)), set(row["days"])
    if days == meant:
        return "right"
    return "invented" if days - meant else "missed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", type=Path, metavar="SET.jsonl")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--wrong", action="store_true", help="show the lines that are not right")
    arguments = parser.parse_args()
    language.choose("en")
    lines = arguments.set.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    verdicts = [verdict(row) for row in rows]
    counts = {"n": len(rows), "right": 0, "invented": 0, "missed": 0, **Counter(verdicts)}
    if arguments.wrong:
        for row, each in zip(rows, verdicts, strict=True):
            if each != "right":
                print(f"{each}: {row['now']} {row['line']!r} {row['said']!r}")
                print(f"    found {sorted(found(row))}, meant {sorted(row['days'])}")
    print(
        json.dumps(counts) if arguments.json else ", ".join(f"{n} {w}" for w, n in counts.items())
    )


if __name__ == "__main__":
    main()
