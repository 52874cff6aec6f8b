"""How many questions to memory are shown what answers them, by the tokens of the notes. No model.

    .venv/bin/python scripts/eval_asked.py [--budget 130 300] [--json]

The questions are those of scripts/adapter/questions: of twelve written weeks the 40 of the author
and 40 of a reader, each with the words that have to be seen (`stands`). Each week's talk lies in a
store of its own, without memories; it is asked on the day after the last. Development sets.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from companion import config, language
from companion.assembly.models import open_uncached_embedder
from companion.engines.protocols import Embedder
from companion.evaluation.keywords import is_right
from companion.evaluation.lives import Life, read_life
from companion.evaluation.retrieval.run import tokens
from companion.evaluation.retrieval.told import stored
from companion.recall.hybrid import Recall
from companion.recall.protocol import Query

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = ROOT / "scripts" / "adapter" / "questions"
LIVES = (ROOT / "tests" / "strangers" / "lives", ROOT / "tests" / "strangers" / "judged" / "lives")

USUAL = 130
"""Tokens of notes for what is no question to memory; a smaller budget lowers it too."""


def life_of(name: str) -> Life:
    """The week that a file of questions is about."""
    [file] = [each / f"{name}.jsonl" for each in LIVES if (each / f"{name}.jsonl").exists()]
    return read_life(file, file.with_name(f"{name}_gold.json"))


def asked_of(name: str) -> list[dict[str, Any]]:
    """The questions that the talk answers."""
    lines = (QUESTIONS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["stands"]]


async def shown(name: str, budgets: list[int], embedder: Embedder) -> dict[int, int]:
    """Of one week, by budget: how many questions are shown what answers them."""
    base, found = config.load(), dict.fromkeys(budgets, 0)
    async with stored(base, embedder, life_of(name)) as (store, clock):
        for budget in budgets:
            most = {"asked_tokens": budget, "budget_tokens": min(budget, USUAL)}
            section = base.retrieval.model_copy(update=most)
            recall = Recall(store, embedder, clock, section, tokens)
            for row in asked_of(name):
                result = await recall.recall(Query(row["question"], of_memory=True))
                found[budget] += is_right(result.block, row["stands"])
    return found


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", type=int, nargs="+", default=[130, 300], metavar="TOKENS")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    language.choose("en")
    names = sorted(each.stem for each in QUESTIONS.glob("*.jsonl"))
    by_life: dict[str, dict[int, int]] = {}
    async with open_uncached_embedder(config.load()) as embedder:
        for name in names:
            by_life[name] = await shown(name, arguments.budget, embedder)
            print(f"{name}: {by_life[name]} of {len(asked_of(name))}", file=sys.stderr)
    n = sum(len(asked_of(name)) for name in names)
    total = {b: sum(each[b] for each in by_life.values()) for b in arguments.budget}
    if arguments.json:
        print(json.dumps({"n": n, "shown": total, "lives": by_life}))
    else:
        for budget, count in total.items():
            print(f"{budget:>5} tokens: {count} of {n}, {count / n:.3f}")


if __name__ == "__main__":
    asyncio.run(main())
