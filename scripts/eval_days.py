"""How well openers and questions about days are answered, without a language model.

    python scripts/eval_days.py openers SET.jsonl [--json]
    python scripts/eval_days.py howlong SET.jsonl [--json]

A line of `openers` is `{age, days: [{date, turns: [[said, reply], ...]}], next, greeting, good,
keys, never}`: the days are lived with a night after each, then the greeting is said. Taken up
rightly: the reply holds one of `keys` and none of `never`; where `keys` is empty nothing is to be
taken up. Invented: an opener with one of `never`, or where nothing was to be taken up.

A line of `howlong` is `{now, history: [{time, said}], question, answer, any, kind}`: right is a
reply that holds one text of each list in `any`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from companion.assembly.consolidation import build_consolidation
from companion.assembly.dialog import build_dialog
from companion.assembly.missing import Fail
from companion.assembly.models import open_models
from companion.assembly.store import open_store
from companion.clock import ManualClock
from companion.config import Config, load
from companion.engines.protocols import Embedder, LanguageModel
from companion.evaluation.answered import answered
from companion.store import log, profile

EXCHANGE = timedelta(seconds=20)
EVENING = 20
"""The hour at which a day is learnt from."""


@dataclass(frozen=True)
class Toy:
    """What all lines share."""

    config: Config
    model: LanguageModel
    embedder: Embedder


async def opened(toy: Toy, line: dict[str, Any]) -> dict[str, Any]:
    """A line of openers, with what was said to the greeting."""
    moments = [_moment(f"{day['date']}T16:00") for day in line["days"]]
    clock = ManualClock(moments[0])
    with tempfile.TemporaryDirectory() as folder:
        here = _in(toy.config, folder)
        async with open_store(here, clock, mode="owner") as store:
            if line.get("age") is not None:
                await store.write(profile.note, "age", str(line["age"]), None, clock.wall())
            for day, start in zip(line["days"], moments, strict=True):
                _move(clock, start)
                turns = [(said, reply) for said, reply in day["turns"]]
                await store.write(_talked, turns, start)
                _move(clock, start.replace(hour=EVENING))
                await build_consolidation(here, clock, store, toy.model, toy.embedder).run()
            _move(clock, _moment(line["next"]))
            dialog = build_dialog(here, clock, store, toy.model, toy.embedder)
            await dialog.open()
            result = await answered(dialog, line["greeting"], keep=True)
    said = result.text.lower().replace("’", "'")
    hit = any(key.lower() in said for key in line["keys"])
    wrong = [each for each in line.get("never", []) if each.lower() in said]
    none_due = not line["keys"]
    taken_up = result.by == "opener"
    return {
        "greeting": line["greeting"],
        "good": line["good"],
        "reply": result.text,
        "by": result.by,
        "right": (not taken_up) if none_due else (hit and not wrong),
        "invented": taken_up and (bool(wrong) or none_due),
    }


async def asked(toy: Toy, line: dict[str, Any]) -> dict[str, Any]:
    """A line of howlong, with what was answered."""
    told = [(_moment(each["time"]), each["said"]) for each in line["history"]]
    now = _moment(line["now"])
    clock = ManualClock(told[0][0] if told else now)
    with tempfile.TemporaryDirectory() as folder:
        here = _in(toy.config, folder)
        async with open_store(here, clock, mode="owner") as store:
            for time, said in told:
                _move(clock, time)
                await store.write(_talked, [(said, "Tell me more!")], time)
                if (now - time).days:
                    await build_consolidation(here, clock, store, toy.model, toy.embedder).run()
            _move(clock, now)
            dialog = build_dialog(here, clock, store, toy.model, toy.embedder)
            await dialog.open()
            result = await answered(dialog, line["question"], keep=True)
    said = result.text.lower()
    right = all(any(text.lower() in said for text in texts) for texts in line["any"])
    return {
        "question": line["question"],
        "kind": line["kind"],
        "answer": line["answer"],
        "reply": result.text,
        "by": result.by,
        "right": right and result.by != "model",
    }


def _talked(c: Any, turns: list[tuple[str, str]], start: datetime) -> None:
    session = log.start_session(c, start)
    for said, reply in turns:
        log.append(c, session, "user", said, start)
        log.append(c, session, "assistant", reply, start)
        start += EXCHANGE
    log.end_session(c, session, start)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc)


def _move(clock: ManualClock, to: datetime) -> None:
    clock.advance(max((to - clock.wall()).total_seconds(), 0.0))


def _in(config: Config, folder: str) -> Config:
    store = config.store.model_copy(update={"encrypt": False})
    return config.model_copy(update={"data_dir": Path(folder), "store": store})


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


async def main(kind: str, path: Path) -> dict[str, Any]:
    config = load(profile="laptop")
    consolidation = config.consolidation.model_copy(update={"personality": False})
    persona = config.persona.model_copy(update={"greeting": False})
    config = config.model_copy(update={"consolidation": consolidation, "persona": persona})
    async with open_models(config, Fail(), think=False) as models:
        toy = Toy(config, models.active, models.embedder)
        one = opened if kind == "openers" else asked
        replies = [await one(toy, line) for line in _lines(path)]
    found: dict[str, Any] = {"set": path.name, "n": len(replies)}
    found["right"] = sum(each["right"] for each in replies)
    if kind == "openers":
        found["invented"] = sum(each["invented"] for each in replies)
    found["by"] = dict(Counter(each["by"] for each in replies))
    return {**found, "replies": replies}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=("openers", "howlong"))
    parser.add_argument("set", type=Path)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    document = asyncio.run(main(given.kind, given.set))
    if given.json:
        json.dump(document, sys.stdout, indent=1, ensure_ascii=False)
    else:
        for each in document["replies"]:
            mark = "right" if each["right"] else "invented" if each.get("invented") else "-"
            said = each.get("question") or each["greeting"]
            print(f"{mark:8} {each['by']:16} {said} => {each['reply']}")
        print({key: value for key, value in document.items() if key != "replies"})
