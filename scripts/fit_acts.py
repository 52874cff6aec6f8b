"""Fits the classifier of dialog acts (`companion/acts/weights.npz`), or measures it.

    .venv/bin/python scripts/fit_acts.py [--dry]
    .venv/bin/python scripts/fit_acts.py --test FILE.jsonl ... [--wrong]

It learns from messages that strangers wrote (scripts/acts, tests/strangers/talk/acts-*.jsonl), each
with the act that its author or one reader gave it and, with less weight, from the wordings of the
shipped packs (scripts/acts/packs.yaml says which act each is). Prints what is right on the messages
of each author by a classifier that saw none of them. About four minutes. --test: how the weights
that are shipped do on a set of such lines; --wrong lists what they take for something else.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from companion import config
from companion.acts import classifier
from companion.acts.acts import ACTS
from companion.acts.classifier import Classifier
from companion.acts.features import features, form
from companion.acts.reader import last_sentences
from companion.assembly.models import open_uncached_embedder
from companion.engines.embedding.probe import PROBE
from companion.engines.protocols import Embedder
from companion.repertoire import packs
from companion.safety.wording import wording

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "scripts" / "acts"
TALK = ROOT / "tests" / "strangers" / "talk"
HANDS = {
    "aspen and briar": (HERE / "aspen.jsonl", HERE / "briar.jsonl"),
    "hawthorn": (HERE / "hawthorn.jsonl",),
    "dev": (HERE / "talk_dev_kinds.jsonl",),
    **{each: (TALK / f"acts-{each}.jsonl",) for each in ("elm", "iris", "moss")},
}
"""Files by author."""

TALK_DEV = ROOT.parent / "shared" / "data" / "talk_dev.jsonl"
"""Not part of this repository: of its lines only the acts stand here. Without it the weights come
out a little otherwise."""

PACKS = "packs"
NAME = "Pip"
OF_PACK = 0.03
"""Weight of a wording of a pack beside a message."""

SECOND = 0.2
"""What the second act of a message is worth."""

STEPS, RATE, PENALTY = 80, 0.05, 3e-3
LEAST = (0.5, 0.6, 0.7, 0.8, 0.9)
"""Probabilities from which coverage and precision are told."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Message:
    author: str
    words: str
    previous: str
    acts: tuple[str, ...]
    """The best, and perhaps the second best."""

    @property
    def said(self) -> str:
        return wording(self.words, NAME) or " "


def messages(author: str, files: Iterable[Path]) -> list[Message]:
    found = []
    for file in files:
        for row in rows(file):
            previous = row["before"][-1][1] if row["before"] else ""
            acts = tuple(row[key] for key in ("kind", "kind2") if row.get(key) in ACTS)
            found.append(Message(author, row["said"], previous, acts))
    return found


def rows(file: Path) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    if not found or "line" not in found[0]:
        return found
    if not TALK_DEV.exists():
        print(f"{TALK_DEV} is not here: fitted without it")
        return []
    said = [json.loads(line) for line in TALK_DEV.read_text(encoding="utf-8").splitlines()]
    return [said[each["line"]] | {"kind2": None} | each for each in found]


def of_packs() -> list[Message]:
    acts = yaml.safe_load((HERE / "packs.yaml").read_text(encoding="utf-8"))
    found = []
    for file in packs.files(packs.SHIPPED):
        for entry in packs.read_file(file):
            if act := acts.get(entry.id, acts.get(entry.pack, "")):
                found += [Message(PACKS, said, "", (act,)) for said in entry.says]
    return found


async def vectors_of(texts: Iterable[str], embedder: Embedder) -> dict[str, Floats]:
    wanted = sorted({text for text in texts if text})
    found: dict[str, Floats] = {}
    for start in range(0, len(wanted), 16):
        batch = wanted[start : start + 16]
        found.update(zip(batch, await embedder.embed(batch), strict=True))
    return found


async def seen(found: Sequence[Message], embedder: Embedder) -> Floats:
    """The features of each, shape (n, f). Raises EngineError."""
    lasts = [last_sentences(each.previous) for each in found]
    vectors = await vectors_of([*(each.said for each in found), *lasts], embedder)
    return np.stack(
        [
            features(
                form(each.words, each.said, each.previous, NAME),
                each.said,
                vectors[each.said],
                vectors.get(last),
            )
            for each, last in zip(found, lasts, strict=True)
        ]
    )


def targets(found: Sequence[Message]) -> Floats:
    """Shape (n, acts), rows that add up to 1."""
    wanted = np.zeros((len(found), len(ACTS)), np.float32)
    for row, each in zip(wanted, found, strict=True):
        second = SECOND if len(each.acts) > 1 else 0.0
        row[ACTS.index(each.acts[0])] += 1 - second
        if second:
            row[ACTS.index(each.acts[1])] += second
    return wanted


def softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def fit(x: Floats, wanted: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """A softmax regression by Adam over all rows at once. Returns weights (f, a) and bias (a,)."""
    x = np.hstack([x, np.ones((len(x), 1), np.float32)])
    found = np.zeros((x.shape[1], wanted.shape[1]), np.float32)
    held = np.full((x.shape[1], 1), PENALTY, np.float32)
    held[-1] = 0
    mean, square = np.zeros_like(found), np.zeros_like(found)
    share = (weight / weight.sum())[:, None].astype(np.float32)
    for step in range(1, STEPS + 1):
        slope = x.T @ ((softmax(x @ found) - wanted) * share) + held * found
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope * slope
        rate = RATE * (1 + np.cos(np.pi * step / STEPS)) / 2
        by = np.sqrt(square / (1 - 0.99**step)) + 1e-8
        found -= rate * (mean / (1 - 0.9**step)) / by
    return found[:-1], found[-1]


def weight_of(found: Sequence[Message]) -> Floats:
    return np.array([OF_PACK if each.author == PACKS else 1 for each in found], np.float32)


def left_out(found: Sequence[Message], x: Floats) -> Floats:
    """Scores of each message by a fit that saw nothing of its author; of packs zeros."""
    author = np.array([each.author for each in found])
    wanted, weight = targets(found), weight_of(found)
    scores = np.zeros_like(wanted)
    for hand in HANDS:
        out = author == hand
        weights, bias = fit(x[~out], wanted[~out], weight[~out])
        scores[out] = x[out] @ weights + bias
    return scores


def temperature_of(scores: Floats, found: Sequence[Message]) -> float:
    """By what to divide scores so that the messages are likeliest."""
    wanted = targets(found)

    def loss(t: float) -> float:
        return -float((wanted * np.log(softmax(scores / t) + 1e-9)).sum())

    return min((float(t) for t in np.arange(0.5, 3.0, 0.05)), key=loss)


def tell(found: Sequence[Message], likely: Floats) -> None:
    """How many are right by author, and of each act coverage and precision."""
    best = np.array([ACTS[at] for at in likely.argmax(axis=1)])
    first = np.array([each.acts[0] for each in found])
    either = np.array([act in each.acts for act, each in zip(best, found, strict=True)])
    author = np.array([each.author for each in found])
    for name in [*dict.fromkeys(author), ""]:
        rows = author == name if name else np.ones(len(found), bool)
        right, close = (best == first)[rows].mean(), either[rows].mean()
        print(f"{name or 'all':<16} {rows.sum():>5}  {right:.3f}  or second {close:.3f}")
    surprise = -np.log(likely[range(len(found)), [ACTS.index(each.acts[0]) for each in found]])
    print(f"mean negative log likelihood {surprise.mean():.3f}")
    sure = likely.max(axis=1)
    print("of all, from a probability on: share, right, or second")
    for least in LEAST:
        rows = sure >= least
        right, close = (best == first)[rows].mean(), either[rows].mean()
        print(f"  {least}: {rows.mean():.3f} {right:.3f} {close:.3f}")
    print("act, messages; from each probability on: how many of them found, right or second of all")
    for at, act in enumerate(ACTS):
        told = []
        for least in LEAST:
            rows = likely[:, at] >= least
            good = sum(act in each.acts for each, row in zip(found, rows, strict=True) if row)
            hit = int((rows & (first == act)).sum())
            told.append(f"{hit}, {good} of {int(rows.sum())}")
        print(f"  {act:<16} {int((first == act).sum()):>3} | " + " | ".join(told))


async def test(files: Sequence[Path], *, wrong: bool) -> None:
    found = [each for file in files for each in messages(file.stem, [file])]
    async with open_uncached_embedder(config.load()) as embedder:
        x = await seen(found, embedder)
    known = classifier.read()
    likely = softmax((x @ known.weights + known.bias) / known.temperature)
    tell(found, likely)
    for each, row in zip(found, likely, strict=True):
        act = known.acts[int(row.argmax())]
        if wrong and act not in each.acts:
            print(f"{row.max():.2f} {act} for {'/'.join(each.acts)}: {each.words!r}")


async def train(*, write: bool, wrong: bool, keep: Path | None) -> None:
    hands = [each for author, files in HANDS.items() for each in messages(author, files)]
    found = [*hands, *of_packs()]
    async with open_uncached_embedder(config.load()) as embedder:
        x = await seen(found, embedder)
        probe = (await embedder.embed([PROBE]))[0]
    print(f"{len(hands)} messages, {len(found) - len(hands)} wordings, {x.shape[1]} features")
    scores = left_out(found, x)[: len(hands)]
    temperature = temperature_of(scores, hands)
    print(f"left out by author, temperature {temperature:.2f}:")
    likely = softmax(scores / temperature)
    tell(hands, likely)
    if keep is not None:
        np.savez(keep, likely=likely)
    if wrong:
        for each, row in zip(hands, likely, strict=True):
            act = ACTS[int(row.argmax())]
            if act not in each.acts:
                print(f"{row.max():.2f} {act} for {'/'.join(each.acts)}: {each.words!r}")
    if write:
        weights, bias = fit(x, targets(found), weight_of(found))
        Classifier(ACTS, weights, bias, temperature, probe).write()
        print(f"wrote {classifier.FILE} ({classifier.FILE.stat().st_size:,} bytes)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--test", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--dry", action="store_true", help="print the figures, write nothing")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="the left-out probabilities")
    parser.add_argument("--wrong", action="store_true", help="list what is taken for another act")
    arguments = parser.parse_args()
    if arguments.test:
        asyncio.run(test(arguments.test, wrong=arguments.wrong))
    else:
        asyncio.run(train(write=not arguments.dry, wrong=arguments.wrong, keep=arguments.keep))


if __name__ == "__main__":
    main()
