"""Readers' grades of a form's memories, taken back.

A line is one memory: its id, its grade, and the ids of the gold facts that it tells:

    kqf good f3 f12
    zbd wrong t2

`t4` is something that should not be remembered and that the memory tells all the same; `t4:now`,
of something that changed, says that the memory tells how it is now. What stands after `#` is the
reader's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.evaluation import forms
from companion.evaluation.figures import kappa, mean, share
from companion.evaluation.memories.form import Key, read_key
from companion.evaluation.memories.kept import PROFILE

GRADES = ("good", "trivial", "wrong", "garbled")
USABLE = ("good", "trivial")
"""Grades of memories from which a fact is known."""

_NOW = ":now"


@dataclass(frozen=True)
class Graded:
    """One reader's line."""

    grade: str
    tells: frozenset[str]
    """Ids of gold facts; with `:now`, what changed and is told as it is now."""


Reading = Mapping[str, Graded]
"""One reader's grades, by the form's ids."""


def graded(form: Path, key: Path, grades: Sequence[Path]) -> dict[str, Any]:
    """The document of `companion eval grades --json`. Raises InputError."""
    known = read_key(key)
    forms.check_key(form, key, known.form)
    readings = forms.readings(grades, lambda path: read_grades(path, known))
    return {
        "user": known.user,
        "items": len(known.items),
        "variants": {each: _variant(known, each, readings) for each in known.variants},
        "agreement": {
            f"{one}, {other}": agreement(readings[one], readings[other])
            for one, other in combinations(readings, 2)
        },
    }


def read_grades(path: Path, key: Key) -> dict[str, Graded]:
    """One reader's grades. Raises InputError naming the line, or the memories without a grade."""
    facts = {each.id for each in key.gold}
    facts |= {f"{each.id}{_NOW}" for each in key.gold if each.status == "superseded"}
    found: dict[str, Graded] = {}
    for where, id, grade, tells in forms.graded_lines(path, key.items, "memory", GRADES):
        if unknown := sorted(tells - facts):
            raise InputError(f"{where}: the form has no fact {', '.join(unknown)}")
        found[id] = Graded(grade, tells)
    return found


def agreement(one: Reading, other: Reading) -> dict[str, Any]:
    """Over all memories of the form: grades (share of equal ones, Cohen's kappa), and facts that
    both found in a memory, of those that one of them did."""
    pairs = [(one[id].grade, other[id].grade) for id in one]
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    either = sum(len(one[id].tells | other[id].tells) for id in one)
    both = sum(len(one[id].tells & other[id].tells) for id in one)
    return {
        "n": len(pairs),
        "same": _rounded(share(first, second)),
        "kappa": _rounded(kappa(first, second)),
        "facts": {"either": either, "both": both},
    }


def _variant(key: Key, variant: str, readings: Mapping[str, Reading]) -> dict[str, Any]:
    held = {
        id: [each.memory for each in owners if each.variant == variant]
        for id, owners in key.items.items()
    }
    mine = {id: memories for id, memories in held.items() if memories}
    read = {name: _reader(key, mine, reading) for name, reading in readings.items()}
    shares = {grade: mean([each["shares"][grade] for each in read.values()]) for grade in GRADES}
    return {
        "memories": sum(len(_counted(memories)) for memories in mine.values()),
        "shares": {grade: round(value, 4) for grade, value in shares.items()},
        "complete": _mean_share(read, "complete"),
        "complete_lasting": _mean_share(read, "complete_lasting"),
        "updated": _mean_share(read, "updated"),
        "readers": read,
    }


def _reader(key: Key, mine: Mapping[str, Sequence[int | str]], reading: Reading) -> dict[str, Any]:
    """A variant as one reader saw it. The profile tells facts, but is no memory to be graded."""
    current = [each for each in key.gold if each.status == "current"]
    lasting = [each for each in current if each.lasting]
    traps = {each.id for each in key.gold if each.status != "current"}
    changed = [each.id for each in key.gold if each.status == "superseded"]
    counts = Counter(dict.fromkeys(GRADES, 0))
    told: set[str] = set()
    for id, memories in mine.items():
        line = reading[id]
        counts[line.grade] += len(_counted(memories))
        told |= line.tells if line.grade in USABLE else line.tells & traps
    n = sum(counts.values())
    return {
        "counts": dict(counts),
        "shares": {grade: round(counts[grade] / n, 4) if n else 0.0 for grade in GRADES},
        "complete": _of([each.id in told for each in current]),
        "complete_lasting": _of([each.id in told for each in lasting]),
        "updated": _of([f"{id}{_NOW}" in told and id not in told for id in changed]),
        "traps": _of([id in told for id in sorted(traps)]),
    }


def _counted(memories: Sequence[int | str]) -> list[int | str]:
    return [each for each in memories if each != PROFILE]


def _of(hits: Sequence[bool]) -> dict[str, int]:
    return {"n": len(hits), "yes": sum(hits)}


def _mean_share(read: Mapping[str, Mapping[str, Any]], name: str) -> float | None:
    """The mean over readers; None where there is nothing to be counted."""
    shares = [each[name]["yes"] / each[name]["n"] for each in read.values() if each[name]["n"]]
    return round(mean(shares), 4) if shares else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
