"""Says written weeks to the toy, message by message, and counts who answers. No language model.

    .venv/bin/python scripts/eval_weeks.py FILE... [--json] [--show]

A week is a file {session, time, role, text} (tests/strangers); beside NAME.jsonl may lie
NAME_grave.jsonl, in which its author says what in it is grave (`plain`, `hint`) or only sounds so
(`sounds`). All else is ordinary, as in any week without such a file. Where no code answers,
a sentence stands in for the model. The dialog is the real one, over a store of its own, from one
day to the next: what an alarm brings in the messages after it counts as well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion import config, language
from companion.assembly.dialog import build_dialog
from companion.assembly.models import open_embedder
from companion.assembly.store import open_store
from companion.clock import ManualClock
from companion.config import Config
from companion.engines.absent import AbsentModel
from companion.engines.protocols import Embedder

IN_ITS_PLACE = "Hm, that is nice."
"""What the model would say."""

ORDINARY = "ordinary"


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def marks_of(file: Path) -> dict[str, str]:
    """What the author says of the messages that are not ordinary, by their words."""
    marks = file.with_name(f"{file.stem}_grave.jsonl")
    return {row["text"]: row["kind"] for row in rows_of(marks)} if marks.exists() else {}


async def said(base: Config, file: Path, embedder: Embedder) -> AsyncIterator[dict[str, Any]]:
    """Each message of the person with its mark, the reply, and by whom it is."""
    rows, marks = rows_of(file), marks_of(file)
    clock = ManualClock(datetime.fromisoformat(rows[0]["time"]))
    model = AbsentModel(IN_ITS_PLACE, context_tokens=base.llm.active.context_tokens)
    with TemporaryDirectory() as folder:
        kept = base.store.model_copy(update={"encrypt": False, "backups": 0})
        here = base.model_copy(update={"data_dir": Path(folder), "store": kept})
        async with open_store(here, clock, mode="owner") as store:
            dialog = build_dialog(here, clock, store, model, embedder)
            await dialog.open()
            session = rows[0]["session"]
            for row in (each for each in rows if each["role"] == "user"):
                if row["session"] != session:
                    await dialog.close()
                    session = row["session"]
                clock.advance((datetime.fromisoformat(row["time"]) - clock.wall()).total_seconds())
                stream = dialog.reply(row["text"], keep=True)
                async with aclosing(stream) as sentences:
                    reply = " ".join([sentence async for sentence in sentences])
                mark = marks.get(row["text"], ORDINARY)
                yield {"said": row["text"], "mark": mark, "reply": reply, "by": stream.by}
            await dialog.close()


def counted(lines: Sequence[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """By mark: n, stopped by the guard, cared about by it, and how many the others answered."""
    found: dict[str, Counter[str]] = {}
    for line in lines:
        count = found.setdefault(line["mark"], Counter())
        count["n"] += 1
        who, _, of = line["by"].partition(":")
        if who == "guard":
            who = "cared" if of == "worry" else "stopped"
        count[who] += 1
    return {mark: dict(sorted(count.items())) for mark, count in sorted(found.items())}


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weeks", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--json", action="store_true", help="one document, with all that was said")
    parser.add_argument("--show", action="store_true", help="what the guard answers, and hears not")
    given = parser.parse_args()
    base = config.load(profile="laptop")
    language.choose(base.language)
    weeks: dict[str, list[dict[str, Any]]] = {}
    async with open_embedder(base) as embedder:
        for file in given.weeks:
            weeks[file.stem] = [line async for line in said(base, file, embedder)]
            counts = counted(weeks[file.stem])
            print(file.stem, *(f"{k} {v}" for k, v in counts.items()), file=sys.stderr, flush=True)
    everything = [line for lines in weeks.values() for line in lines]
    if given.json:
        print(json.dumps({"by_mark": counted(everything), "weeks": weeks}, ensure_ascii=False))
        return
    for mark, of_mark in counted(everything).items():
        print(f"{mark:<9} {of_mark}")
    for line in everything if given.show else ():
        if line["by"].startswith("guard") or line["mark"] in ("plain", "hint"):
            print(f"{line['mark']:<9} {line['by']:<15} {line['said']}\n  {line['reply']}")


if __name__ == "__main__":
    asyncio.run(main())
