"""Writes prompts as they really are, to train an adapter on: notes as they are found.

    .venv/bin/python scripts/adapter_prompts.py OUT_FOLDER
    VENV/bin/python scripts/train_adapter.py BASE.gguf OUT.gguf --data OUT_FOLDER --begin OLD.gguf

Questions of twelve written weeks (adapter/questions) with what recall shows of their talk, and
requests of eight people who lack a word (adapter/lacking) with the pieces that are found. What is
told but not shown is left out; what was never told stays, with "I don't remember." or "unknown".
Nothing is learnt from other people's files, so these stay to be judged by. No model; five minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

from eval_asked import QUESTIONS, ROOT, life_of

from companion import config, language
from companion.assembly.models import open_uncached_embedder
from companion.assist import answer, need
from companion.assist.assistant import checked
from companion.assist.finding import look_up
from companion.config import Config
from companion.dialog import notes_prompt
from companion.engines.protocols import Embedder
from companion.evaluation.assist.people import read_person
from companion.evaluation.assist.run import filled
from companion.evaluation.keywords import is_right
from companion.evaluation.retrieval.run import tokens
from companion.evaluation.retrieval.told import stored
from companion.recall.hybrid import Recall
from companion.recall.protocol import Query
from companion.safety.sanitize import sanitized

LACKING = ROOT / "scripts" / "adapter" / "lacking"
PEOPLE = ROOT / "tests" / "assist" / "people"

Line = dict[str, str]


async def of_a_week(name: str, base: Config, embedder: Embedder) -> AsyncIterator[Line]:
    """The reader's messages for one week's questions."""
    async with stored(base, embedder, life_of(name)) as (store, clock):
        recall = Recall(store, embedder, clock, base.retrieval, tokens)
        for text in (QUESTIONS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(text)
            block = (await recall.recall(Query(row["question"], of_memory=True))).block
            if block and (not row["stands"] or is_right(block, row["stands"])):
                message = notes_prompt.message(block, (), row["question"])
                yield {"head": "asked", "message": message, "answer": row["answer"]}


async def of_people(base: Config, embedder: Embedder) -> AsyncIterator[Line]:
    """The whisper's messages for what these people lack, all in one store."""
    people = [read_person(file) for file in sorted(PEOPLE.glob("*.json"))]
    async with filled(base, embedder, people, with_children=True) as store:
        for file in sorted(LACKING.glob("*.jsonl")):
            for text in file.read_text(encoding="utf-8").splitlines():
                row = json.loads(text)
                query, context = checked(
                    row["query"] or None, row["context"], base.assist.context_chars
                )
                wanted = need.read(query, context)
                if wanted is None:
                    continue
                blocks = base.assist.blocks
                looked = await look_up(store, embedder, context, wanted.question, blocks)
                notes = answer.notes(sorted(looked.found, key=lambda each: each.time))
                if not row["stands"] or is_right(notes, row["stands"]):
                    asked = answer.asked(notes, sanitized(context), sanitized(wanted.question))
                    yield {"head": "whisper", "message": asked, "answer": row["answer"]}


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    out: Path = parser.parse_args().out
    language.choose("en")
    base = config.load(profile="laptop")
    async with open_uncached_embedder(base) as embedder:
        for name in sorted(each.stem for each in QUESTIONS.glob("*.jsonl")):
            _write(out / f"{name}.jsonl", [each async for each in of_a_week(name, base, embedder)])
        _write(out / "lacking.jsonl", [each async for each in of_people(base, embedder)])


def _write(file: Path, lines: list[Line]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in lines)
    file.write_text(text, encoding="utf-8")
    print(f"{file}: {len(lines)} lines", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
