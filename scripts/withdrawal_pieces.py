"""Talks in which something is to be forgotten, and all that is not: what `fit_withdrawals` learns
from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from fit_acts import TALK
from fit_memory_questions import LIVES

from companion import language
from companion.acts.withdrawals import BACK

NEVER_SAID = ("they all forget it", "they forget about")
"""What of the weeks a rule takes for a wish to forget, and is none."""


@dataclass(frozen=True)
class Piece:
    author: str
    kind: str
    words: str
    asks: bool
    before: tuple[tuple[str, str], ...] = ()
    meant: frozenset[int] = frozenset()


def of_hands(files: Sequence[Path]) -> list[Piece]:
    found = []
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            asks = bool(row["meant"] or row["own"])
            before = tuple((said, reply) for said, reply in row["before"])
            kind = "asks to forget" if asks else "sounds so"
            meant = frozenset(row["meant"])
            found.append(Piece(file.stem, kind, row["said"], asks, before, meant))
            found += [Piece(file.stem, "before it", said, asks=False) for said, _ in before]
    return found


def of_weeks() -> list[Piece]:
    """What is meant: what tells a fact that the author has marked as to be forgotten."""
    found = []
    for gold in sorted(each for folder in LIVES for each in folder.glob("*_gold.json")):
        author = gold.stem.removesuffix("_gold")
        facts = json.loads(gold.read_text(encoding="utf-8"))["facts"]
        secrets = [each["all_of"] for each in facts if each["status"] == "forget"]
        rows = map(json.loads, gold.with_name(f"{author}.jsonl").read_text("utf-8").splitlines())
        for _, day in groupby(rows, key=lambda row: row["session"]):
            before: list[tuple[str, str]] = []
            for row in day:
                said = row["text"]
                if row["role"] != "user":
                    before[-1:] = [(words, said) for words, _ in before[-1:]]
                    continue
                found.append(_of_a_week(author, said, before[-BACK:], secrets))
                before.append((said, ""))
    return found


def _of_a_week(
    author: str, said: str, before: list[tuple[str, str]], secrets: list[list[list[str]]]
) -> Piece:
    if not language.correction.withdraws(said) or any(each in said for each in NEVER_SAID):
        return Piece(author, "a week", said, asks=False)
    tells = [at for at, (words, _) in enumerate(before) if any(_tells(words, s) for s in secrets)]
    return Piece(author, "a week, asks", said, True, tuple(before), frozenset(tells[-1:]))


def _tells(words: str, all_of: list[list[str]]) -> bool:
    low = words.lower()
    return all(any(each in low for each in some) for some in all_of)


def of_talk() -> list[Piece]:
    found = []
    for file in sorted(TALK.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            said = json.loads(line)["said"]
            if not language.correction.withdraws(said):
                found.append(Piece(file.stem, "ordinary talk", said, asks=False))
    return found


def with_before(pieces: Sequence[Piece]) -> list[Piece]:
    return [each for each in pieces if each.asks and each.before]
