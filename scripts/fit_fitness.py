"""How fit a written reply is for a message, learnt from readers' grades; the product does without.

    .venv/bin/python scripts/fit_fitness.py

Learns from scripts/grades/*.jsonl: messages of strangers, each with replies that were near in one
way or another, graded from 0 to 3 by a reader who saw neither where a reply is from nor how near it
was (HOW.md there). A logistic regression over signs that are at hand anyway compares replies of
packs, situations, acts and listening with each other. Prints what it would say to messages of
authors that were left out in turn. On two sealed sets it chose no better than the order by rules
(docs/experiments.md, "Chosen by readers' grades"). Needs the extra sentence-transformers, which
brings scikit-learn.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from companion import config, language
from companion.acts.reader import ActReader
from companion.answering import Heard
from companion.assembly.models import open_uncached_embedder
from companion.engines.protocols import Embedder
from companion.records import Profile
from companion.repertoire import order, packs, situations, vectors
from companion.repertoire.index import Index
from companion.repertoire.packs import Entry
from companion.safety.wording import wording

ACTS = (
    *("pretend", "game_move", "fact_question", "why_question", "hard_question", "about_toy"),
    *("short_answer", "correction", "feeling_sad", "feeling_afraid", "feeling_angry"),
    "ask_cannot",
)
"""Of which each is a sign."""

TELLINGS = ("telling", "good_news", "bad_news", "and_then")
GRADES = Path(__file__).parent / "grades"
NAME = "Pip"
FOLDS = 6
FINE = 2
STRENGTH = 0.1
"""C of the regression."""

KINDS = ("entry", "situation", "act", "listening")
SHARED = ("tells", "asks", "pretend", "no_situation", "within_talk", "was_asked", "words",
          "short_answer", "fact_question")  # fmt: skip
PRODUCTS = (
    *(f"{kind}*{sign}" for kind in KINDS for sign in SHARED),
    *("nearest*nearest", "nearest*uncovered", "placed*placed", "certainty*certainty", "done*done"),
)
SIGNS = (
    *KINDS, *SHARED, *(act for act in ACTS if act not in SHARED), "nearest", "support",
    "uncovered", "certainty", "placed", "done", "narrower", "scene", *PRODUCTS,
)  # fmt: skip

Floats = NDArray[np.float64]
Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Graded:
    """A reply to a message."""

    author: str
    message: int
    kind: str
    grade: int
    signs: Mapping[str, float]


def of_message(heard: Heard, said: str, unknown: float) -> dict[str, float]:
    """Signs that all replies to a message share. unknown: how likely it is of no situation."""
    reading, previous = heard.reading, heard.previous
    return {
        "within_talk": float(bool(previous)),
        "was_asked": float(previous.rstrip().endswith("?")),
        "words": math.log(max(1, len(said.split()))),
        "no_situation": unknown,
        "asks": float(bool(language.question.asking(heard.words))),
        "tells": reading.of(*TELLINGS),
        **{act: reading.of(act) for act in ACTS},
    }


def of_entry(
    entry: Entry,
    said: str,
    vector: Vectors,
    vector_of: Callable[[str], Vectors],
    certainty: float,
) -> dict[str, float]:
    """Signs of an entry of a pack: how near its wordings are."""
    cosines = sorted((float(vector_of(each) @ vector) for each in entry.says), reverse=True)
    known = {word for each in entry.says for word in each.split()}
    words = said.split()
    return {
        "entry": 1.0,
        "nearest": cosines[0],
        "support": float(np.mean(cosines[:3])),
        "uncovered": sum(word not in known for word in words) / len(words),
        "certainty": certainty,
    }


def product(name: str, signs: Mapping[str, float]) -> float:
    """Of the signs that a weight is for; one that a reply lacks is 0."""
    return math.prod(signs.get(each, 0.0) for each in name.split("*"))


async def graded(embedder: Embedder) -> list[Graded]:
    """All graded replies with their signs. Raises EngineError."""
    known = vectors.read(vectors.SHIPPED)
    entries = [each for file in packs.files(packs.SHIPPED) for each in packs.read_file(file)]
    by_id = {each.id: each for each in entries}
    index, placing = Index(entries, known.of), situations.open_shipped()
    acts = ActReader(embedder, NAME)
    found: list[Graded] = []
    lines = [
        line
        for file in sorted(GRADES.glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    for number, row in enumerate(map(json.loads, lines)):
        previous = row["before"][-1][1] if row["before"] else ""
        reading = await acts.read(row["said"], previous)
        heard = Heard(row["said"], None, previous, Profile(), reading)
        said = wording(row["said"], NAME)
        if not said:
            continue
        vector = (await embedder.embed_tokens([said]))[0].vector
        likely = placing.classifier.probabilities(said, vector, reading)
        chances = dict(zip(placing.classifier.situations, map(float, likely), strict=True))
        sure = {each.entry.id: each.certainty for each in index.nearest(said, vector)}
        shared = of_message(heard, said, chances[situations.NONE])
        for kind, id, _, grade in row["replies"]:
            own: dict[str, float] = {kind: 1.0}
            if kind == "entry" and id in by_id:
                own |= of_entry(by_id[id], said, vector, known.of, sure.get(id, 0.0))
            elif kind == "situation" and id in chances:
                own["placed"] = chances[id]
            elif kind == "act":
                own["done"] = reading.of(id.partition("/")[0])
                own["narrower"] = float(id.startswith(order.NARROWER))
            elif kind != "listening":
                continue
            found.append(Graded(row["set"], number, kind, grade, {**shared, **own}))
    return found


def table(rows: Sequence[Graded]) -> Floats:
    return np.array([[product(name, each.signs) for name in SIGNS] for each in rows])


def fitted(rows: Sequence[Graded]) -> Pipeline:
    model = make_pipeline(StandardScaler(), LogisticRegression(C=STRENGTH, max_iter=2000))
    return model.fit(table(rows), [each.grade >= FINE for each in rows])


def judged(rows: Sequence[Graded]) -> None:
    """What would be said to authors that were left out."""
    authors = sorted({each.author for each in rows})
    np.random.default_rng(0).shuffle(authors)
    said: list[tuple[float, Graded, int]] = []
    for left in np.array_split(np.array(authors), FOLDS):
        model = fitted([each for each in rows if each.author not in left])
        messages: dict[int, list[Graded]] = {}
        for each in rows:
            if each.author in left:
                messages.setdefault(each.message, []).append(each)
        for offers in messages.values():
            chances = model.predict_proba(table(offers))[:, 1]
            best = int(chances.argmax())
            grades = [each.grade for each in offers]
            said.append((float(chances[best]), offers[best], max(grades)))
    said.sort(key=lambda one: -one[0])
    for share in (0.25, 0.5, 0.75, 1.0):
        part = [each.grade for _, each, _ in said[: int(share * len(said))]]
        fine = np.mean([grade >= FINE for grade in part])
        print(f"the surest {share:.0%}: {len(part)}, mean {np.mean(part):.2f}, fine {fine:.0%}")
    for kind in KINDS:
        part = [each.grade for _, each, _ in said if each.kind == kind]
        fine = np.mean([grade >= FINE for grade in part])
        print(f"  {kind}: {len(part)}, mean {np.mean(part):.2f}, fine {fine:.0%}")
    for low, high in ((0, 0.25), (0.25, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1)):
        part = [each.grade for sure, each, _ in said if low <= sure < high]
        if part:
            fine = np.mean([grade >= FINE for grade in part])
            print(f"  fitness {low} to {high}: {len(part)}, fine {fine:.0%}")
    best_of = [best for _, _, best in said]
    fine = np.mean([grade >= FINE for grade in best_of])
    print(f"the best that was offered: mean {np.mean(best_of):.2f}, fine {fine:.0%}")


async def main() -> None:
    base = config.load()
    language.choose(base.language)
    async with open_uncached_embedder(base) as embedder:
        rows = await graded(embedder)
    print(f"{len(rows)} replies to {len({each.message for each in rows})} messages")
    judged(rows)


if __name__ == "__main__":
    asyncio.run(main())
