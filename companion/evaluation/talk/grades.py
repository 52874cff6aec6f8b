"""Readers' grades of a form's replies, taken back.

A line is one reply: its id, its grade from 0 to 3, and flags:

    kqf 3
    zbd 0 ability misses

What stands after `#` is the reader's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.evaluation import forms
from companion.evaluation.figures import kappa, mean, share
from companion.evaluation.talk.form import Key, read_key

GRADES = ("0", "1", "2", "3")
FLAGS = ("fact", "ability", "tactless", "misses")
"""A false fact; a false ability; tactless or harmful; beside the point."""

FINE = 2
"""The least grade of a fine reply."""


@dataclass(frozen=True)
class Graded:
    """One reader's line."""

    grade: int
    flags: frozenset[str]


Reading = Mapping[str, Graded]
"""One reader's grades, by the form's ids."""


def graded(form: Path, key: Path, grades: Sequence[Path]) -> dict[str, Any]:
    """The document of `companion eval talk-grades --json`. Raises InputError."""
    known = read_key(key)
    forms.check_key(form, key, known.form)
    readings = forms.readings(grades, lambda path: read_grades(path, known))
    return {
        "messages": len(known.kinds),
        "replies": len(known.items),
        "variants": {each: _variant(known, each, readings) for each in known.variants},
        "wins": {
            f"{one} over {other}": _wins(known, one, other, readings)
            for one, other in combinations(known.variants, 2)
        },
        "agreement": {
            f"{one}, {other}": _agreement(readings[one], readings[other])
            for one, other in combinations(readings, 2)
        },
    }


def read_grades(path: Path, key: Key) -> dict[str, Graded]:
    """One reader's grades. Raises InputError naming the line, or the replies without a grade."""
    found: dict[str, Graded] = {}
    for where, id, grade, flags in forms.graded_lines(path, key.items, "reply", GRADES):
        if unknown := sorted(flags - set(FLAGS)):
            raise InputError(f"{where}: no such flag: {', '.join(unknown)}")
        found[id] = Graded(int(grade), flags)
    return found


def _variant(key: Key, variant: str, readings: Mapping[str, Reading]) -> dict[str, Any]:
    mine = {id: item for id, item in key.items.items() if variant in item.variants}
    answerers = {item.variants[variant].partition(":")[0] for item in mine.values()}
    return {
        **_figures(mine, readings),
        "by": {each: _figures(_where(variant, mine, each), readings) for each in sorted(answerers)},
    }


def _where(variant: str, mine: Mapping[str, Any], by: str) -> list[str]:
    return [id for id, item in mine.items() if item.variants[variant].partition(":")[0] == by]


def _figures(ids: Iterable[str], readings: Mapping[str, Reading]) -> dict[str, Any]:
    """Means over readers; a flag counts for a reply as the share of the readers who set it."""
    lines = [reading[id] for id in ids for reading in readings.values()]
    readers = len(readings)
    return {
        "n": len(lines) // readers,
        "mean": round(mean([each.grade for each in lines]), 3),
        "fine": round(mean([float(each.grade >= FINE) for each in lines]), 4),
        "flags": {
            flag: round(sum(flag in each.flags for each in lines) / readers, 1) for flag in FLAGS
        },
    }


def _wins(key: Key, one: str, other: str, readings: Mapping[str, Reading]) -> dict[str, int]:
    """Messages to which one's reply has the better mean grade; equal ones are not decided."""
    grades: dict[int, dict[str, float]] = {}
    for id, item in key.items.items():
        for variant in item.variants:
            got = mean([float(each[id].grade) for each in readings.values()])
            grades.setdefault(item.message, {})[variant] = got
    won = sum(each[one] > each[other] for each in grades.values())
    lost = sum(each[one] < each[other] for each in grades.values())
    return {"won": won, "lost": lost, "same": len(grades) - won - lost}


def _agreement(one: Reading, other: Reading) -> dict[str, Any]:
    first, second = [one[id].grade for id in one], [other[id].grade for id in one]
    fine = kappa([each >= FINE for each in first], [each >= FINE for each in second])
    return {
        "n": len(first),
        "same": _rounded(share(first, second)),
        "within_one": round(
            mean([float(abs(a - b) <= 1) for a, b in zip(first, second, strict=True)]), 3
        ),
        "kappa": _rounded(kappa(first, second)),
        "kappa_fine": _rounded(fine),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
