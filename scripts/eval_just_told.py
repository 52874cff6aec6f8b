"""Whether it knows, within a talk, what it has just been told, and says so where it was not.

    .venv/bin/python scripts/eval_just_told.py FILE.jsonl ... [--profile laptop] [--json]

A line of a file is a short talk that ends with a question (tests/strangers/just_told/HOW.md). Each
begins in an empty store, with the toy's replies as they stand there; the question is answered by
the whole dialog. Needs the model of the profile; five seconds a talk on two cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from companion import config, language
from companion.assembly.missing import Fail
from companion.assembly.models import Models, open_models
from companion.clock import SystemClock
from companion.config import Config
from companion.evaluation.keywords import is_right
from companion.evaluation.sets import read_lines
from companion.evaluation.talk.arms import for_talk
from companion.evaluation.talk.run import TalkLine, reply_to


class ShortTalk(BaseModel):
    """A talk, the question at its end, and what a right answer has of each group."""

    talk: list[tuple[str, str]] = Field(min_length=1)
    ask: str = Field(min_length=1)
    told: bool
    answer: str = ""
    all_of: list[list[str]] = []


def verdict(talk: ShortTalk, reply: str) -> str:
    """right, unknown or wrong where it was told; refused or answered where it was not. What says
    that it does not know and something besides is judged by what it says."""
    admits = language.not_knowing.admits(reply)
    if not talk.told:
        return "refused" if admits else "answered"
    if is_right(reply, talk.all_of):
        return "right"
    return "unknown" if admits else "wrong"


async def judged(base: Config, models: Models, talk: ShortTalk) -> dict[str, Any]:
    """What is answered to one talk, and what that is worth."""
    line = TalkLine(said=talk.ask, before=talk.talk)
    found = await reply_to(base, models, SystemClock(), line)
    return {
        "ask": talk.ask,
        "answer": talk.answer,
        "reply": found["reply"],
        "by": found["by"],
        "verdict": verdict(talk, found["reply"]),
        "evaluated_tokens": found["evaluated_tokens"],
    }


async def answers(base: Config, files: Sequence[Path]) -> dict[str, list[dict[str, Any]]]:
    """By file."""
    async with open_models(base, Fail()) as models:
        found: dict[str, list[dict[str, Any]]] = {}
        for path in files:
            found[path.stem] = []
            for talk in read_lines(path, ShortTalk):
                found[path.stem].append(await judged(base, models, talk))
                print(f"{path.stem}: {len(found[path.stem])}", end="\r", file=sys.stderr)
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.jsonl")
    parser.add_argument("--profile", default="laptop")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    base = for_talk(config.load(profile=given.profile), "all")
    language.choose(base.language)
    found = asyncio.run(answers(base, given.files))
    counts = {name: dict(Counter(each["verdict"] for each in its)) for name, its in found.items()}
    if given.json:
        print(json.dumps({"counts": counts, "answers": found}, indent=2))
        return
    for name, its in found.items():
        for each in its:
            print(f"{each['verdict']:8} {each['ask']} ({each['answer'] or '-'}): {each['reply']}")
        print(f"{name}: {counts[name]}")


if __name__ == "__main__":
    main()
