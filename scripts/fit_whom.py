"""Fit who is meant by "he" or "she" (`companion/consolidation/whom.py`).

    .venv/bin/python scripts/fit_whom.py [MARKS.jsonl ...]

Learns from the weeks in which readers marked it (scripts/whom/marks); prints what a regression
finds that had not learnt the week, for several bounds, and writes the weights. With files, what the
shipped weights find of these.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from weeks_of_talk import rows, week

from companion import config, language
from companion.consolidation.whom import Weights, shipped, with_pairs
from companion.language.en.antecedents import Candidate
from companion.language.types import Line, Relation

HERE = Path(__file__).resolve().parent / "whom" / "marks"
STRENGTH = 0.003
"""C of the regression, on signs and pairs of them of mean 0 and deviation 1."""

COMPANION = "Pip"
"""What the toy is called in all weeks."""

FOLDS = 6
BOUNDS = (0.0, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9)


@dataclass(frozen=True)
class Case:
    week: str
    said: str
    lines: tuple[Line, ...]
    known: frozenset[Relation]
    who: str
    """"" where the talk does not tell."""

    @cached_property
    def among(self) -> list[Candidate]:
        lines = (each.text for each in self.lines if not each.own)
        addressed = (language.people.addressed(each) for each in lines)
        return language.antecedents.candidates(
            self.lines, self.known, {COMPANION}.union(*addressed)
        )

    def is_right(self, one: Candidate) -> bool:
        head = language.words.stem(language.people.head_of(self.who)) if self.who else ""
        return bool(head) and head in {each.key for each in one.mentions}

    @cached_property
    def rows(self) -> list[list[float]]:
        among = self.among
        signs = language.antecedents.signs
        return [
            list(signs(one, among, self.lines, self.said, self.known).values()) for one in among
        ]


def cases(files: Sequence[Path]) -> list[Case]:
    return [case for file in files for case in _of_file(file)]


def _of_file(file: Path) -> Iterator[Case]:
    marks: dict[str, dict[tuple[str, str], Any]] = defaultdict(dict)
    for row in rows(file):
        marks[row["week"]][row["session"], row["said"]] = row
    for name, of_week in marks.items():
        known: set[Relation] = set()
        lines: list[Line] = []
        session = ""
        for row in week(name):
            if row["session"] != session:
                session, lines = row["session"], []
            own = row["role"] == "user"
            before = lines[-1].text if lines else ""
            mark = of_week.get((session, row["text"])) if own else None
            if own:
                known |= language.people.relations(row["text"], before)
            if mark and language.anaphora.open_pronoun(row["text"]):
                yield Case(name, row["text"], tuple(lines), frozenset(known), mark["who"])
            lines.append(Line(own, row["text"]))


def fitted(found: Sequence[Case]) -> Weights:
    """Weights of the signs as they are."""
    signs = with_pairs(np.array([row for each in found for row in each.rows]))
    right = np.array([each.is_right(one) for each in found for one in each.among])
    mean, deviation = signs.mean(axis=0), signs.std(axis=0) + 1e-9
    model = LogisticRegression(C=STRENGTH, max_iter=3000).fit((signs - mean) / deviation, right)
    weights = model.coef_[0] / deviation
    return Weights(weights, float(model.intercept_[0] - weights @ mean))


def best(case: Case, weights: Weights) -> tuple[bool, float] | None:
    """Whether the likeliest is right, and how likely it is."""
    if not case.rows:
        return None
    likely = weights.probabilities(np.array(case.rows))
    at = int(np.argmax(likely))
    return case.is_right(case.among[at]), float(likely[at])


def printed(found: Sequence[Case], answers: Sequence[tuple[bool, float] | None]) -> None:
    there = sum(any(each.is_right(one) for one in each.among) for each in found)
    told = sum(bool(each.who) for each in found)
    print(f"{len(found)} messages, {told} in which it can be told, {there} who are a candidate")
    for bound in BOUNDS:
        named = [each for each in answers if each is not None and each[1] >= bound]
        right = sum(each[0] for each in named)
        print(f"from {bound}: {right} right, {len(named) - right} wrong")


def main() -> None:
    language.choose(config.load().language)
    if files := [Path(each) for each in sys.argv[1:]]:
        given = cases(files)
        printed(given, [best(each, shipped()) for each in given])
        return
    found = cases(sorted(HERE.glob("*.jsonl")))
    weeks = sorted({each.week for each in found})
    answers: dict[int, tuple[bool, float] | None] = {}
    for fold in range(FOLDS):
        out = set(weeks[fold::FOLDS])
        weights = fitted([each for each in found if each.week not in out])
        for at, each in enumerate(found):
            if each.week in out:
                answers[at] = best(each, weights)
    printed(found, [answers[at] for at in range(len(found))])
    fitted(found).write()


if __name__ == "__main__":
    main()
