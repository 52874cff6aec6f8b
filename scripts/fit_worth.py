"""Fits what an excerpt is worth (`companion/consolidation/worth.npz`), or measures it.

    .venv/bin/python scripts/fit_worth.py [--dry]

It learns from the grades that readers gave to memories (tests/memories): good ones against trivial
and garbled ones; wrong ones are left out, since it is not their worth that is wrong. Prints for
each life what a regression says that saw the other lives only, beside the points of
`language.excerpt.worth`, and what is gained and lost by leaving the lowest scores out.
"""

from __future__ import annotations

import argparse
import asyncio
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion import config, language
from companion.assembly.models import open_uncached_embedder
from companion.consolidation import worth
from companion.consolidation.lifespan import LIFESPAN
from companion.consolidation.sort import learn
from companion.evaluation.memories.form import read_key
from companion.evaluation.memories.grades import Graded, read_grades
from companion.language.types import Excerpt

ROOT = Path(__file__).resolve().parent.parent
FORMS = ROOT / "tests" / "memories"
VARIANTS = ("words", "after")
"""Of a form, those with excerpts."""

RIDGE = 10.0
LEFT_OUT = 0.2
"""Share of the graded excerpts that score too low to be kept."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Example:
    """A graded excerpt."""

    life: str
    text: str
    excerpt: Excerpt
    good: float
    """Share of the readers who found it good."""

    tells: frozenset[str]
    """Facts that a reader found in it."""


def examples() -> list[Example]:
    """Every excerpt in a form that no reader found wrong."""
    found = []
    for form in sorted(FORMS.glob("*/form.md")):
        key = read_key(form.with_name("form.key.json"))
        readings = [read_grades(each, key) for each in sorted(form.parent.glob("reader_*.txt"))]
        for id, text in re.findall(r"^### (\w+)\n\n> (.*)$", form.read_text("utf-8"), re.M):
            mine = any(each.variant in VARIANTS for each in key.items[id])
            excerpt = language.excerpt.parts(text)
            lines: list[Graded] = [reading[id] for reading in readings]
            if mine and excerpt and all(line.grade != "wrong" for line in lines):
                good = float(np.mean([line.grade == "good" for line in lines]))
                tells = frozenset(f"{form.parent.name} {t}" for line in lines for t in line.tells)
                found.append(Example(form.parent.name, text, excerpt, good, tells))
    return found


def fitted(x: Array, y: Array) -> tuple[Array, float]:
    """Weights and bias of a ridge regression. x: shape (n, f); y: (n,)."""
    mean, target = x.mean(axis=0), y.mean()
    inner = (x - mean).T @ (x - mean) + RIDGE * np.eye(x.shape[1])
    weights = np.linalg.solve(inner, (x - mean).T @ (y - target))
    return weights, float(target - mean @ weights)


def area(scores: Array, y: Array) -> float:
    """Under the curve: how often a good one scores more than another."""
    good, other = scores[y > 0.5], scores[y <= 0.5]
    higher = (good[:, None] > other[None]).mean() + 0.5 * (good[:, None] == other[None]).mean()
    return float(higher)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true", help="measure, write nothing")
    dry = parser.parse_args().dry
    graded = examples()
    kinds = tuple(sorted(LIFESPAN))
    async with open_uncached_embedder(config.load()) as embedder:
        known = await learn(embedder)
        rows = []
        for each in graded:
            whole, said = await embedder.embed([each.text, each.excerpt.said])
            rows.append(worth.features(each.excerpt, known.kind(whole), said, kinds))
        probe = (await embedder.embed([worth.PROBE]))[0]
    x, y = np.array(rows, np.float64), np.array([each.good for each in graded])
    lives = np.array([each.life for each in graded])
    points = x[:, -(len(kinds) + 15)]
    scores = np.zeros(len(y))
    for life in sorted(set(lives)):
        weights, bias = fitted(x[lives != life], y[lives != life])
        mine = lives == life
        scores[mine] = x[mine] @ weights + bias
        print(
            f"{life}: {mine.sum()} excerpts, area {area(scores[mine], y[mine]):.2f}, "
            f"points {area(points[mine], y[mine]):.2f}"
        )
    print(f"all: area {area(scores, y):.3f}, points {area(points, y):.3f}")
    told = frozenset().union(*(each.tells for each in graded))
    order = np.argsort(scores)
    for share in (0.0, 0.1, 0.2, 0.3):
        kept = order[round(share * len(y)) :]
        left = frozenset().union(*(graded[at].tells for at in kept))
        print(
            f"the lowest {share:.0%} left out: good {y[kept].mean():.0%}, "
            f"facts {len(left)} of {len(told)}"
        )
    weights, bias = fitted(x, y)
    least = float(np.quantile(scores, LEFT_OUT))
    print(f"least score {least:.2f}")
    if not dry:
        narrow = weights.astype(np.float32)
        worth.Worth(narrow, bias, least, kinds, probe).write()


if __name__ == "__main__":
    asyncio.run(main())
