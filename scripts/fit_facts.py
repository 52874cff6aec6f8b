"""Fits how sure an answer about the world is (`companion/repertoire/facts.py`), or measures it.

    .venv/bin/python scripts/fit_facts.py [--wrong] [--ask FILE.jsonl]

It learns from wordings that other hands than the authors' wrote to the answers, and from questions
that share their words and are others (scripts/facts, how-to beside them); from what strangers would
ask of their own lives, which no answer about the world is right for; and from ordinary talk that
asks nothing of the kind. Prints weights, and coverage and precision on fields that were left out in
turn. --ask: what is answered to the messages of a set (`said`), and how surely. A minute.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from companion import config
from companion.assembly.models import open_uncached_embedder
from companion.engines.protocols import Embedder
from companion.repertoire import byte_vectors, facts
from companion.repertoire.facts import Facts, Likeness
from companion.safety.wording import wording

ROOT = Path(__file__).resolve().parent.parent
READ = ROOT / "scripts" / "facts"
STRANGERS = ROOT / "tests" / "strangers"
LIVES = (STRANGERS / "lives", STRANGERS / "judged" / "lives")
NAME = "Pip"

ASKS = frozenset(("fact_question", "why_question", "question_fact", "question_why", "question"))
"""Kinds of messages in sets of talk that an answer about the world may be right for."""

WEIGHTS = {"of a life": 2.0, "talk": 4.0}
"""Of a line beside one that was written to an answer: in a talk there are far more of them."""

PENALTY = 10.0
LEAST = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95)


@dataclass(frozen=True)
class Line:
    """One message. right: the first wording of the fact that answers it; wrong: of one that does
    not, where others are not known; both "": none answers."""

    kind: str
    said: str
    right: str = ""
    wrong: str = ""


@dataclass(frozen=True)
class Row:
    """A message beside a fact."""

    line: int
    kind: str
    field: str
    signs: Likeness
    right: bool


def lines() -> Iterator[Line]:
    for file in sorted(READ.glob("*.jsonl")):
        for each in _rows(file):
            yield Line("the same", each["said"], right=each["of"])
            yield Line("another", each["other"], wrong=each["of"])
    for file in sorted(each for folder in LIVES for each in folder.glob("*_gold.json")):
        for each in json.loads(file.read_text(encoding="utf-8"))["questions"]:
            yield Line("of a life", each["question"])
    for file in sorted((STRANGERS / "talk").glob("*.jsonl")):
        for each in _rows(file):
            if each.get("kind") not in ASKS and each.get("kind2") not in ASKS:
                yield Line("talk", each["said"])


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


async def rows(known: Facts, found: Sequence[Line], embedder: Embedder) -> list[Row]:
    """Raises EngineError."""
    made = []
    for at, line in enumerate(found):
        near = await known.likeliest(line.said, NAME, embedder)
        for fact, signs in near:
            first = fact.entry.says[0]
            if line.wrong and first != wording(line.wrong):
                continue
            right = first == wording(line.right)
            made.append(Row(at, line.kind, fact.entry.pack, signs, right))
    return made


def signs_of(made: Sequence[Row]) -> NDArray[np.float64]:
    return np.array([astuple(each.signs) for each in made])


def fit(made: Sequence[Row]) -> LogisticRegression:
    weights = [WEIGHTS.get(each.kind, 1.0) for each in made]
    right = [each.right for each in made]
    return LogisticRegression(C=PENALTY, max_iter=3000).fit(signs_of(made), right, weights)


def left_out(made: Sequence[Row]) -> NDArray[np.float64]:
    """Certainty of each row by weights that saw nothing of its field."""
    x, field = signs_of(made), np.array([each.field for each in made])
    likely = np.zeros(len(made))
    for name in np.unique(field):
        out = field == name
        others = [each for each in made if each.field != name]
        likely[out] = fit(others).predict_proba(x[out])[:, 1]
    return likely


def tell(found: Sequence[Line], made: Sequence[Row], likely: NDArray[np.float64]) -> None:
    """From each certainty on: how many of each kind are answered, rightly and wrongly."""
    best: dict[int, tuple[float, bool]] = {}
    for row, certain in zip(made, likely, strict=True):
        if certain > best.get(row.line, (-1.0, False))[0]:
            best[row.line] = float(certain), row.right
    print(f"{'':<24}" + "".join(f"{least:>12}" for least in LEAST))
    for kind in dict.fromkeys(each.kind for each in found):
        of_kind = [at for at, each in enumerate(found) if each.kind == kind]
        cells = []
        for least in LEAST:
            said = [best[at] for at in of_kind if at in best and best[at][0] >= least]
            cells.append(f"{sum(r for _, r in said):>6}, {sum(not r for _, r in said):>4}")
        print(f"{kind:<16}{len(of_kind):>6}  " + "".join(cells))


def shipped() -> Facts:
    """Raises InputError."""
    read = facts.read_folder(facts.SHIPPED)
    return Facts(read, byte_vectors.read(facts.VECTORS, facts.texts(read)))


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", action="store_true", help="list what is answered wrongly")
    parser.add_argument("--ask", type=Path, nargs="+", help="what is answered to these sets")
    chosen = parser.parse_args()
    known = shipped()
    print(f"{len(known.facts)} facts")
    async with open_uncached_embedder(config.load()) as embedder:
        if chosen.ask:
            for file in chosen.ask:
                await ask(known, file, embedder)
            return
        found = list(lines())
        made = await rows(known, found, embedder)
    likely = left_out(made)
    tell(found, made, likely)
    if chosen.wrong:
        for row, certain in zip(made, likely, strict=True):
            if certain >= facts.SURE and not row.right:
                print(f"{certain:.2f} {found[row.line]}")
    model = fit(made)
    for each, weight in zip(fields(Likeness), model.coef_[0], strict=True):
        print(f"    {weight:.3f},  # {each.name}")
    print(f"BIAS = {model.intercept_[0]:.3f}")


async def ask(known: Facts, file: Path, embedder: Embedder) -> None:
    for each in _rows(file):
        near = await known.likeliest(each["said"], NAME, embedder)
        best = f"{near[0][1].certainty:.2f} {near[0][0].entry.replies[0]}" if near else "-"
        print(f"{each['said']}\n    {best}")


if __name__ == "__main__":
    asyncio.run(main())
