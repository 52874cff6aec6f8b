"""Fits what tells questions to memory (`companion/acts/memory_questions.npz`), or measures it.

    .venv/bin/python scripts/fit_memory_questions.py [--dry] [--wrong]

Questions: what the authors of lives would ask the day after (tests/strangers), and what three more
hands wrote to a how-to (scripts/acts/asking/HOW.md). Against them: what is told in these lives and
to two hands' how-to (scripts/adapter), ordinary talk, the sets of the guard, questions about the
world, and lines of the same three hands that sound near. Prints, for each kind of text, how much is
taken for a question to memory by weights that saw nothing of its author, from each probability on.
About three minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from fit_acts import NAME, TALK, Floats, vectors_of

from companion import config, language
from companion.acts import memory_questions
from companion.acts.features import features, form
from companion.acts.memory_questions import Weights
from companion.assembly.models import open_uncached_embedder
from companion.engines.embedding.probe import PROBE
from companion.engines.protocols import Embedder
from companion.repertoire import facts
from companion.safety.wording import wording

ROOT = Path(__file__).resolve().parent.parent
STRANGERS = ROOT / "tests" / "strangers"
LIVES = (STRANGERS / "lives", STRANGERS / "judged" / "lives")
HANDS = ROOT / "scripts" / "acts" / "asking"
SAFETY = STRANGERS / "safety"
ADAPTER = ROOT / "scripts" / "adapter"
MEMORY = "about_memory"

FOLDS, STEPS, RATE, PENALTY = 10, 200, 0.05, 1e-3
QUESTIONS = 0.5
"""What all questions weigh together, beside 1 for all else."""

WEIGHTS = {"asked about the world": 0.1, "told to hands": 2.0}
"""Of a line beside another that asks nothing of memory. With more for questions about the world
"my goat is called Wilbur" asks, as what is left to tell them by is whose it is."""

LEAST = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True)
class Line:
    author: str
    kind: str
    words: str
    asks: bool


def lines() -> list[Line]:
    """Each text once; those that say nothing are left out."""
    found: dict[tuple[str, bool], Line] = {}
    told = *_of_lives(), *_of_talk(), *_of_safety(), *_of_hands(), *_of_tellings()
    for each in (*told, *_of_world()):
        if wording(each.words, NAME):
            found.setdefault((each.words.strip().lower(), each.asks), each)
    return list(found.values())


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _of_lives() -> Iterator[Line]:
    for file in sorted(each for folder in LIVES for each in folder.glob("*_gold.json")):
        author = file.stem.removesuffix("_gold")
        for each in json.loads(file.read_text(encoding="utf-8"))["questions"]:
            yield Line(author, "asked of a life", each["question"], asks=True)
        for row in _rows(file.with_name(f"{author}.jsonl")):
            if row["role"] == "user" and not language.question.of_a_life(row["text"]):
                yield Line(author, "told in a life", row["text"], asks=False)


def _of_talk() -> Iterator[Line]:
    for file in sorted(TALK.glob("*.jsonl")):
        for row in _rows(file):
            asks = row.get("kind") == MEMORY
            if asks or row.get("kind2") != MEMORY:
                kind = "ordinary talk, to memory" if asks else "ordinary talk"
                yield Line(file.stem, kind, row["said"], asks)


def _of_safety() -> Iterator[Line]:
    for file in sorted(SAFETY.glob("*.jsonl")):
        for row in _rows(file):
            yield Line(file.stem, f"guard, {row['group']}", row["text"], asks=False)


def _of_hands() -> Iterator[Line]:
    for file in sorted(HANDS.glob("*.jsonl")):
        for row in _rows(file):
            kind = "hands, asks" if row["asks"] else "hands, near"
            health = ", of health" if row["health"] else ""
            yield Line(file.stem, kind + health, row["said"], row["asks"])


def _of_tellings() -> Iterator[Line]:
    for file in sorted(ADAPTER.glob("memory*.jsonl")):
        for row in _rows(file):
            if "?" not in row["said"] and not language.question.asking(row["said"]):
                yield Line(file.stem, "told to hands", row["said"], asks=False)


def _of_world() -> Iterator[Line]:
    """Two wordings of each question about the world, but for those that sound like one's own."""
    for fact in facts.read_folder(facts.SHIPPED):
        for said in fact.entry.says[:2]:
            if not language.question.of_a_life(said):
                yield Line(fact.entry.pack, "asked about the world", said, asks=False)


async def seen(found: Sequence[Line], embedder: Embedder) -> Floats:
    """Features, shape (n, f). Raises EngineError."""
    said = [wording(each.words, NAME) for each in found]
    vectors = await vectors_of(said, embedder)
    return np.stack(
        [
            features(form(each.words, plain, "", NAME), plain, vectors[plain], None)
            for each, plain in zip(found, said, strict=True)
        ]
    )


def fit(x: Floats, asks: Floats, weights: Floats) -> tuple[Floats, float]:
    """A logistic regression by Adam over all rows at once. Returns weights (f,) and bias."""
    all_asks, others = (weights * asks).sum(), (weights * (1 - asks)).sum()
    share = weights * np.where(asks > 0, QUESTIONS / all_asks, 1 / others)
    share = (share / share.sum()).astype(np.float32)
    x = np.hstack([x, np.ones((len(x), 1), np.float32)])
    found = np.zeros(x.shape[1], np.float32)
    held = np.full_like(found, PENALTY)
    held[-1] = 0
    mean, square = np.zeros_like(found), np.zeros_like(found)
    for step in range(1, STEPS + 1):
        slope = x.T @ ((1 / (1 + np.exp(-x @ found)) - asks) * share) + held * found
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope * slope
        rate = RATE * (1 + np.cos(np.pi * step / STEPS)) / 2
        by = np.sqrt(square / (1 - 0.99**step)) + 1e-8
        found -= rate * (mean / (1 - 0.9**step)) / by
    return found[:-1], float(found[-1])


def weights_of(found: Sequence[Line]) -> Floats:
    """Shape (n,)."""
    return np.array([WEIGHTS.get(each.kind, 1.0) for each in found], np.float32)


def left_out(found: Sequence[Line], x: Floats, asks: Floats) -> Floats:
    """Probabilities by weights that saw nothing of the author."""
    author, weights = np.array([each.author for each in found]), weights_of(found)
    names = np.random.default_rng(0).permutation(np.unique(author))
    likely = np.zeros(len(found), np.float32)
    for some in np.array_split(names, FOLDS):
        out = np.isin(author, some)
        slopes, bias = fit(x[~out], asks[~out], weights[~out])
        likely[out] = 1 / (1 + np.exp(-(x[out] @ slopes + bias)))
    return likely


def tell(found: Sequence[Line], likely: Floats) -> None:
    kinds = np.array([each.kind for each in found])
    print(f"{'':<28}" + "".join(f"{least:>7}" for least in LEAST))
    for kind in np.unique(kinds):
        rows = likely[kinds == kind]
        print(f"{kind:<23}{len(rows):>5}" + "".join(f"{(rows > t).mean():7.3f}" for t in LEAST))


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true", help="print the figures, write nothing")
    parser.add_argument("--wrong", action="store_true", help="list what is taken for the other")
    arguments = parser.parse_args()
    found = lines()
    asks = np.array([each.asks for each in found], np.float32)
    async with open_uncached_embedder(config.load()) as embedder:
        x = await seen(found, embedder)
        probe = (await embedder.embed([PROBE]))[0]
    print(f"{len(found)} texts, {int(asks.sum())} of them questions to memory; authors left out:")
    likely = left_out(found, x, asks)
    tell(found, likely)
    if arguments.wrong:
        for at in np.argsort(-np.abs(likely - asks)):
            if abs(likely[at] - asks[at]) > 0.5:
                print(f"{likely[at]:.2f} {found[at].kind}: {found[at].words!r}")
    if not arguments.dry:
        weights, bias = fit(x, asks, weights_of(found))
        Weights(weights, bias, probe).write()
        size = memory_questions.FILE.stat().st_size
        print(f"wrote {memory_questions.FILE} ({size:,} bytes)")


if __name__ == "__main__":
    asyncio.run(main())
