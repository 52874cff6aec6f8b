"""What strangers wrote, for `train_health.py`: sets of allergies and health, ordinary talk, what is
told in passing, and weeks of talk in which readers marked what tells of health."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.safety.health import passages

HERE = Path(__file__).resolve().parent / "health"
STRANGERS = HERE.parent.parent / "tests" / "strangers"
LIVES = (STRANGERS / "lives", STRANGERS / "judged" / "lives")
HEALTH_DEV = STRANGERS.parent.parent.parent / "shared" / "data" / "health_dev.jsonl"
"""Not part of this repository; without it the regression learns from two sets."""

HANDS = tuple(file.stem for file in sorted((HERE / "hands").glob("*.jsonl")))
PAIRS = tuple(file.stem for file in sorted((HERE / "pairs").glob("*.jsonl")))
REMARKS = tuple(file.stem for file in sorted((HERE / "remarks").glob("*.jsonl")))
"""Of authors who wrote for training: sets, pairs of messages of which one tells, and pairs of
remarks of which one touches what was told (HOW.md there)."""

SETS = ("dev", "maple", "nettle", *HANDS)
"""Of health. maple and nettle are one author in two voices."""

TALK = ("acts-elm", "acts-iris", "acts-moss", "aspen", "briar", "hawthorn", "requests/juno")
"""Of ordinary talk, by name, so that a set that is opened later changes no training."""

WEEKS = tuple(file.stem for file in sorted((HERE / "weeks").glob("*.jsonl")))
"""Of talk, read whole."""

PASSING = tuple(file.stem for file in sorted((HERE / "passing").glob("*.jsonl")))
"""Of messages that tell in passing, and others."""

NONE, OWN, OTHER = range(3)
TRUE = (
    "inhaler",
    "allergic to cats",
    "diabetes",
    "pills for his heart",
    "swap lunches",
    "can't say sausages",
)
"""Of ordinary talk that tells all the same: words of messages that were read, and are not learnt
as telling of nothing."""


@dataclass(frozen=True)
class Message:
    text: str
    author: str
    kind: str
    """`telling`, `other` (somebody else's), `not`, `ask`, `talk`, `guard`."""

    whole: str = ""
    """Of a part of a message: which message it is of."""

    @property
    def label(self) -> int:
        return {"telling": OWN, "other": OTHER}.get(self.kind, NONE)


@dataclass(frozen=True)
class Remark:
    told: str
    text: str
    touches: bool
    author: str
    talk: bool = False
    """Whether the text is ordinary talk, and what was told was drawn by lot."""


def messages() -> list[Message]:
    return [*_of_health(), *_of_pairs(), *_of_talk(), *_in_passing(), *of_weeks()]


def remarks() -> list[Remark]:
    """What is said later, when something had been told; last, ordinary talk."""
    found = [
        Remark(row["told"], row["text"], row["touches"], name)
        for name, file in _files()
        for row in _rows(file)
        if "touches" in row
    ]
    told, chance = sorted({each.told for each in found}), random.Random(3)
    whole = {(each.whole or each.text, each.author) for each in messages() if each.kind == "talk"}
    talk = (Remark(chance.choice(told), said, False, of, talk=True) for said, of in sorted(whole))
    return [*found, *talk]


def left_out(authors: Iterable[str]) -> list[set[str]]:
    """Authors to leave out together: a third each of those of health, maple and nettle being one,
    and of those of talk."""
    names = sorted(set(authors) - {"maple"})
    ours = [each for each in names if each in {*SETS, *PAIRS, *REMARKS}]
    talk = [each for each in names if each not in ours]
    thirds = [{*ours[at::3], *talk[at::3]} for at in range(3)]
    return [each | ({"maple"} if "nettle" in each else set()) for each in thirds]


def _files() -> Iterator[tuple[str, Path]]:
    yield "dev", HEALTH_DEV
    for name in ("maple", "nettle"):
        yield name, STRANGERS / "health" / f"{name}.jsonl"
    for folder, names in (("hands", HANDS), ("remarks", REMARKS)):
        yield from ((name, HERE / folder / f"{name}.jsonl") for name in names)


def said_in(name: str) -> list[str]:
    """What the person of a week says, message by message."""
    [life] = [each for folder in LIVES if (each := folder / f"{name}.jsonl").exists()]
    return [row["text"] for row in _rows(life) if row["role"] == "user"]


def marked_in(name: str) -> dict[int, list[dict[str, Any]]]:
    """What a reader marked in a week (`health/weeks/HOW.md`), by the message's number, from 1."""
    marked: dict[int, list[dict[str, Any]]] = {}
    folders = (HERE / "weeks", STRANGERS / "health" / "weeks")  # learnt from; only judged
    [file] = [each for folder in folders if (each := folder / f"{name}.jsonl").exists()]
    for row in _rows(file):
        marked.setdefault(row["n"], []).append(row)
    return marked


def of_weeks() -> Iterator[Message]:
    """The messages of the weeks that readers have marked, in the parts that are read."""
    for name in WEEKS:
        marked = marked_in(name)
        for number, text in enumerate(said_in(name), 1):
            told = [(row["words"], row["whose"], row["kind"]) for row in marked.get(number, ())]
            yield from _parts(text, name, told)


def asking() -> list[tuple[str, bool, str]]:
    """Messages of strangers, whether each asks what one must not have, and its author; last, what
    authors of weeks would ask the next day of anything else."""
    written = [
        (row["said"], row["asks"], file.stem)
        for file in sorted((HERE / "asking").glob("*.jsonl"))
        for row in _rows(file)
    ]
    return written + [(each, False, name) for name in WEEKS for each in _other_questions(name)]


def _other_questions(name: str) -> Iterator[str]:
    """Those of a week whose answer names nothing that the person must not have."""
    marked = [row for rows in marked_in(name).values() for row in rows if row["kind"] == "must_not"]
    harmful = {word for row in marked for word in row["what"].lower().split() if len(word) > 3}
    [gold] = [each for folder in LIVES if (each := folder / f"{name}_gold.json").exists()]
    for row in json.loads(gold.read_text(encoding="utf-8"))["questions"]:
        if not any(word in row["answer"].lower() for word in harmful):
            yield row["question"]


def _in_passing() -> Iterator[Message]:
    for name in PASSING:
        for row in _rows(HERE / "passing" / f"{name}.jsonl"):
            told = [(row["tells"], row["whose"], "must_not")] if row["tells"] else []
            yield from _parts(row["said"], name, told)


def _parts(said: str, author: str, told: list[tuple[str, str, str]]) -> Iterator[Message]:
    """The parts in which a message is read. told: what it tells, whose it is, and how. Of one that
    tells, the other parts are left out, and what tells of a lasting condition: asthma is to be
    noted, a patch over the eye is not."""
    for part in passages(said):
        if not told:
            yield Message(part, author, "talk", said)
        for words, whose, kind in told:
            if kind != "condition" and (words in part or part in words):
                yield Message(part, author, "other" if whose == "other" else "telling", said)
                break


def _of_health() -> Iterator[Message]:
    for name, file in _files():
        for row in _rows(file) if name in SETS else ():
            somebody = row["kind"] == "telling" and row.get("whose", "child") != "child"
            yield Message(row["text"], name, "other" if somebody else row["kind"])


def _of_pairs() -> Iterator[Message]:
    for name in PAIRS:
        for row in _rows(HERE / "pairs" / f"{name}.jsonl"):
            kind = "other" if row["whose"] == "other" else "telling"
            yield Message(row["said"], name, kind if row["tells"] else "not")


def _of_talk() -> Iterator[Message]:
    for file in (STRANGERS / "talk" / f"{name}.jsonl" for name in TALK):
        for row in _rows(file):
            if not any(each in row["said"] for each in TRUE):
                yield Message(row["said"], file.stem, "talk")
    lines = (STRANGERS.parent / "safety" / "ordinary.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if line and not line.startswith("#") and not any(each in line for each in TRUE):
            yield Message(line, "ordinary", "talk")


def _rows(file: Path) -> list[dict[str, Any]]:
    """No rows where there is no such file."""
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
