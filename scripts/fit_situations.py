"""Fits the classifier of situations (companion/repertoire/situations/weights.npz) or measures it.

    .venv/bin/python scripts/fit_situations.py [--dry] [--wrong]
    .venv/bin/python scripts/fit_situations.py --hits FILE.jsonl ... [--least 0.8]

It learns from messages that five strangers wrote for the situations (a, b and c each a third of
them, with `near`; d and e each half, in another voice), from messages of none
(scripts/situations/none.yaml), from those of three more that were read by one reader
(scripts/situations/labels.yaml, tests/strangers/talk/acts-*.jsonl), and from questions about the
world in the shipped packs. Prints, of a fit on a, b and c, what it finds of d and e, and the
reverse, and what a fit on all five finds of the other three. Two minutes. --hits: what the shipped
weights take for which situation in a set of such lines, for a reader.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml
from numpy.typing import NDArray

from companion import config
from companion.acts import classifier as acts
from companion.acts.acts import ACTS
from companion.acts.reader import last_sentences
from companion.answering import Reading
from companion.assembly.models import open_uncached_embedder
from companion.engines.protocols import Embedder
from companion.repertoire import packs, situations
from companion.repertoire.situations import NONE, Classifier
from companion.safety.char_ngrams import hashed_ngrams
from companion.safety.wording import wording

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "scripts" / "situations"
TALK = ROOT / "tests" / "strangers" / "talk"
WRITTEN, OTHERS = ("a", "b", "c"), ("d", "e")
READ = ("elm", "iris", "moss")

NAME = "Pip"
AXES = 80
"""Of the vectors: with all 384 hardly more is found."""

HELD = 0.3
"""How much the fit is held back (ridge)."""

OF_NEAR, OF_PACK = 0.3, 0.3
"""Weight of a line under `near`, and of a question of a pack, beside a message."""

PACKS_ASK = 400
TEMPERATURES = (0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1)
LEAST = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
"""Certainties from which coverage and precision are told."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Message:
    hand: str
    words: str
    situation: str
    """"" where only that of which it is not is known."""

    unlike: str = ""
    previous: str = ""

    @property
    def said(self) -> str:
        return wording(self.words, NAME) or " "


def messages() -> list[Message]:
    found = []
    for path in sorted(situations.SHIPPED.glob("*.yaml")):
        tree = yaml.safe_load(path.read_text(encoding="utf-8"))
        for hand, said in tree["says"].items():
            found += [Message(hand, each, path.stem) for each in said]
        (owner,) = set(tree["says"]) & set(WRITTEN)
        found += [Message(owner, each, "", path.stem) for each in tree["near"]]
    none = yaml.safe_load((HERE / "none.yaml").read_text(encoding="utf-8"))
    return found + [Message(hand, each, NONE) for hand, said in none.items() for each in said]


def read_messages() -> list[Message]:
    """Those of other sets, as one reader took them."""
    found = []
    labels = yaml.safe_load((HERE / "labels.yaml").read_text(encoding="utf-8"))
    for hand, told in labels.items():
        of = {line: name for name, lines in told.items() for line in lines}
        found += [
            Message(hand, each.words, of.get(line, NONE), "", each.previous)
            for line, each in enumerate(of_file(TALK / f"acts-{hand}.jsonl"), start=1)
            if of.get(line) != "unclear"
        ]
    return found


def of_file(path: Path) -> list[Message]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if "said" in row]
    lasts = [row["before"][-1][1] if row["before"] else "" for row in rows]
    return [
        Message(path.stem, row["said"], "", "", last) for row, last in zip(rows, lasts, strict=True)
    ]


def of_packs() -> list[Message]:
    """Some of the questions about the world, which are of no situation."""
    kinds = yaml.safe_load((ROOT / "scripts" / "acts" / "packs.yaml").read_text(encoding="utf-8"))
    asked = [
        said
        for file in packs.files(packs.SHIPPED)
        for entry in packs.read_file(file)
        if kinds.get(entry.id, kinds.get(entry.pack)) in ("fact_question", "why_question")
        for said in entry.says
    ]
    chosen = np.random.default_rng(0).choice(len(asked), PACKS_ASK, replace=False)
    return [Message("packs", asked[at], NONE) for at in sorted(chosen)]


@dataclass(frozen=True)
class Seen:
    """What the classifier sees of messages, and what they are."""

    found: Sequence[Message]
    vectors: Floats
    readings: Sequence[Reading]
    words: Floats
    roots: Floats

    def only(self, rows: NDArray[np.bool_]) -> Seen:
        kept = [at for at, row in enumerate(rows) if row]
        return Seen(
            [self.found[at] for at in kept],
            self.vectors[kept],
            [self.readings[at] for at in kept],
            self.words[kept],
            self.roots[kept],
        )

    def of(self, *hands: str) -> NDArray[np.bool_]:
        return np.array([each.hand in hands for each in self.found])

    @property
    def known(self) -> NDArray[np.bool_]:
        """Of which is known what they are."""
        return np.array([each.situation != "" for each in self.found])


async def seen(found: Sequence[Message], embedder: Embedder) -> Seen:
    lasts = [last_sentences(each.previous) for each in found]
    vectors = await vectors_of([*(each.said for each in found), *lasts], embedder)
    reads = acts.read()
    readings = [
        reads.reading(
            each.words, each.said, vectors[each.said], each.previous, vectors.get(last), NAME
        )
        for each, last in zip(found, lasts, strict=True)
    ]
    return Seen(
        found,
        np.stack([vectors[each.said] for each in found]),
        readings,
        hashed_ngrams([each.said for each in found]),
        np.stack([situations.roots(each, ACTS) for each in readings]),
    )


async def vectors_of(texts: Iterable[str], embedder: Embedder) -> dict[str, Floats]:
    wanted = sorted({text for text in texts if text})
    found: dict[str, Floats] = {}
    for start in range(0, len(wanted), 16):
        batch = wanted[start : start + 16]
        found.update(zip(batch, await embedder.embed(batch), strict=True))
    return found


def weight_of(found: Sequence[Message]) -> Floats:
    kinds = {"near": OF_NEAR, "packs": OF_PACK}
    return np.array(
        [kinds.get("near" if each.unlike else each.hand, 1.0) for each in found], np.float32
    )


def fit(told: Seen, names: Sequence[str]) -> Classifier:
    """A kernel ridge regression. Of a line under `near` it is only known what it is not: what a
    first fit without them takes it for, but for that, is what it is taken for."""
    first = told.only(told.known)
    wanted = np.array([[name == each.situation for name in names] for each in first.found])
    found = solved(first, wanted.astype(np.float32), names)
    near = told.only(~told.known)
    if not near.found:
        return found
    likely = likely_of(near, found, 0.05)
    for row, each in zip(likely, near.found, strict=True):
        row[names.index(each.unlike)] = 0
    both = np.vstack([wanted, likely / likely.sum(axis=1, keepdims=True)]).astype(np.float32)
    ordered = told.only(told.known), told.only(~told.known)
    joined = Seen(
        [*ordered[0].found, *ordered[1].found],
        np.vstack([each.vectors for each in ordered]),
        [*ordered[0].readings, *ordered[1].readings],
        np.vstack([each.words for each in ordered]),
        np.vstack([each.roots for each in ordered]),
    )
    return solved(joined, both, names)


def solved(told: Seen, wanted: Floats, names: Sequence[str]) -> Classifier:
    axes = np.linalg.svd(told.vectors, full_matrices=False)[2][:AXES].T
    known = situations.bytes_of(situations.projected(told.vectors, axes)).astype(np.float32)
    known /= np.linalg.norm(known, axis=1, keepdims=True)
    weight = weight_of(told.found)
    alike = np.exp(situations.NARROWNESS * (known @ known.T - 1))
    alike += situations.WORDS * (told.words @ told.words.T)
    alike += situations.ACTS * (told.roots @ told.roots.T)
    mean = (weight[:, None] * wanted).sum(axis=0) / weight.sum()
    shares = np.linalg.solve(alike + HELD * np.diag(1 / weight), wanted - mean)
    shares = shares.astype(np.float32)
    return Classifier(
        tuple(names),
        axes,
        known,
        shares,
        situations.WORDS * told.words.T @ shares,
        ACTS,
        situations.ACTS * told.roots.T @ shares,
        mean.astype(np.float32),
        1.0,
    )


def scores_of(told: Seen, by: Classifier) -> Floats:
    near = np.exp(
        situations.NARROWNESS * (situations.projected(told.vectors, by.axes) @ by.known.T - 1)
    )
    scores = near @ by.by_vector + told.words @ by.by_words + told.roots @ by.by_act
    return np.asarray(scores + by.bias)


def likely_of(told: Seen, by: Classifier, temperature: float) -> Floats:
    scores = scores_of(told, by) / temperature
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def temperature_of(told: Seen, by: Classifier) -> float:
    """By what to divide scores so that the messages are likeliest."""
    at = [by.situations.index(each.situation) for each in told.found]

    def loss(temperature: float) -> float:
        likely = likely_of(told, by, temperature)[range(len(at)), at]
        return -float(np.log(likely + 1e-9).sum())

    return min(TEMPERATURES, key=loss)


def tell(title: str, told: Seen, by: Classifier, temperature: float, *, wrong: bool) -> None:
    """Coverage of messages of a situation, and precision of all that would be answered."""
    likely = likely_of(told, by, temperature)[:, :-1]
    best = np.array([by.situations[at] for at in likely.argmax(axis=1)])
    sure = likely.max(axis=1)
    are = np.array([each.situation for each in told.found])
    some = are != NONE
    fitted = temperature_of(told, by)
    print(f"{title}: {some.sum()} of a situation, {(~some).sum()} of none, own {fitted}")
    for least in LEAST:
        rows = sure >= least
        right = int((rows & (best == are)).sum())
        needless = int((rows & ~some).sum())
        print(
            f"  {least}: found {right / some.sum():.3f}, right {right} of {rows.sum()}"
            f" {right / max(1, rows.sum()):.3f}, of none {needless}"
        )
    for each, found, how in zip(told.found, best, sure, strict=True):
        if wrong and found != each.situation and how >= LEAST[0]:
            print(f"    {how:.2f} {found} for {each.situation}: {each.words!r}")


async def train(*, write: bool, wrong: bool) -> None:
    found = [*messages(), *read_messages(), *of_packs()]
    async with open_uncached_embedder(config.load()) as embedder:
        told = await seen(found, embedder)
    names = [path.stem for path in sorted(situations.SHIPPED.glob("*.yaml"))] + [NONE]
    everyday = told.of(*READ, "packs")
    tests = {
        "of d and e, by a, b, c": (told.of(*WRITTEN) | everyday, told.of(*OTHERS)),
        "of a, b, c, by d and e": (told.of(*OTHERS) | everyday, told.of(*WRITTEN)),
        **{f"of {each}, by all others": (~told.of(each), told.of(each)) for each in READ},
    }
    temperature = 0.05
    for title, (learns, judged) in tests.items():
        by = fit(told.only(learns), names)
        rest = told.only(judged & told.known)
        if title.startswith("of d"):
            temperature = temperature_of(rest, by)
        tell(title, rest, by, temperature, wrong=wrong)
    if write:
        by = fit(told, names)
        Classifier(**{**vars(by), "temperature": temperature}).write()
        print(f"wrote {situations.FILE} ({situations.FILE.stat().st_size:,} bytes)")


async def hits(files: Sequence[Path], least: float) -> None:
    by = situations.read()
    for file in files:
        found = of_file(file)
        async with open_uncached_embedder(config.load()) as embedder:
            told = await seen(found, embedder)
        likely = likely_of(told, by, by.temperature)[:, :-1]
        sure = likely.max(axis=1)
        print(f"{file.stem}: {(sure >= least).sum()} of {len(found)}")
        for each, row, how in zip(found, likely, sure, strict=True):
            if how >= least:
                print(f"  {how:.2f} {by.situations[int(row.argmax())]}: {each.words}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hits", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--least", type=float, default=situations.SURE)
    parser.add_argument("--dry", action="store_true", help="print the figures, write nothing")
    parser.add_argument("--wrong", action="store_true", help="list what is taken for another")
    arguments = parser.parse_args()
    if arguments.hits:
        asyncio.run(hits(arguments.hits, arguments.least))
    else:
        asyncio.run(train(write=not arguments.dry, wrong=arguments.wrong))


if __name__ == "__main__":
    main()
