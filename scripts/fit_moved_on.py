"""Fits when an emergency is over though nobody says so (companion/safety/moved_on.py).

    .venv/bin/python scripts/fit_moved_on.py [TALKS.jsonl]

Learns from talks that begin with an emergency, or with what only sounds like one, in which a reader
said from which message on it is over (scripts/guard/moved_on). Prints the weights, and what becomes
of the talks of each author when the others are learnt: messages answered as an emergency though it
was over, and true emergencies that are left too early. TALKS: talks that are only judged, with
the weights that are shipped. Needs scikit-learn (`scripts/setup --dev`).
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from companion import config, language
from companion.assembly.guard import build_guard, message_classifier
from companion.assembly.models import open_embedder
from companion.dialog.emergency import MOST_TURNS, OVER
from companion.engines.protocols import Embedder, TextClassifier
from companion.safety.moved_on import BIAS, WEIGHTS, MovedOn

HERE = Path(__file__).resolve().parent / "guard" / "moved_on"


@dataclass(frozen=True)
class Talk:
    """What a child says; the first message begins it."""

    author: str
    true: bool
    said: tuple[str, ...]
    over: int
    """The first message at which it is over; their number where that never is."""

    signs: tuple[tuple[float, ...], ...]
    """Of each message but the first."""

    alarms: tuple[bool, ...]
    """Whether the guard stops it; of each message."""


async def talks(files: Sequence[Path]) -> list[Talk]:
    base = config.load(profile="laptop")
    language.choose(base.language)
    reads = message_classifier(base)
    assert reads is not None
    async with open_embedder(base) as embedder:
        return [
            await _talk(file.stem, json.loads(line), reads, embedder)
            for file in files
            for line in file.read_text(encoding="utf-8").splitlines()
        ]


async def _talk(
    author: str, row: dict[str, object], reads: TextClassifier, embedder: Embedder
) -> Talk:
    said = tuple(map(str, row["said"]))  # type: ignore[call-overload]
    guard, moved_on = build_guard(config.load(profile="laptop"), embedder), MovedOn(reads)
    verdicts = [await guard.judge(each, side="in") for each in said]
    alarms = tuple(each.stops and not each.cares for each in verdicts)
    signs = [tuple(await moved_on.signs(said[0], said[1 : at + 1])) for at in range(1, len(said))]
    over = row["over"] if isinstance(row["over"], int) else len(said)
    return Talk(author, bool(row["true"]), said, over, tuple(signs), alarms)


Likely = Callable[[Sequence[float]], float]


def ended(talk: Talk, likely: Likely) -> int:
    """The message with which it is left: the second in a row that sounds as if it was over."""
    before = False
    for at, signs in enumerate(talk.signs, start=1):
        over = likely(signs) >= OVER and not talk.alarms[at]
        if (over and before) or at > MOST_TURNS:
            return at
        before = over
    return len(talk.said)


def counted(found: Sequence[Talk], likely: Likely) -> str:
    ends = [ended(each, likely) for each in found]
    most = sum(len(each.said) - each.over for each in found)
    late = sum(max(0, end - each.over) for each, end in zip(found, ends, strict=True))
    true = [(each, end) for each, end in zip(found, ends, strict=True) if each.true]
    early = sum(end < each.over for each, end in true)
    return f"needless {late} of {most} messages; left too early {early} of {len(true)} true ones"


def fitted(learnt: Sequence[Talk]) -> LogisticRegression:
    signs = [each for talk in learnt for each in talk.signs]
    over = [at >= talk.over for talk in learnt for at in range(1, len(talk.said))]
    return LogisticRegression(C=1.0, max_iter=2000).fit(signs, over)


def by(weights: Sequence[float], bias: float) -> Likely:
    return lambda signs: 1 / (1 + math.exp(-(float(np.dot(weights, signs)) + bias)))


def main() -> None:
    if sys.argv[1:]:
        judged = asyncio.run(talks([Path(each) for each in sys.argv[1:]]))
        print(counted(judged, by(WEIGHTS, BIAS)))
        return
    found = asyncio.run(talks(sorted(HERE.glob("*.jsonl"))))
    for author in sorted({each.author for each in found}):
        fit = fitted([each for each in found if each.author != author])
        unseen = [each for each in found if each.author == author]
        print(author, "left out:", counted(unseen, by(fit.coef_[0], float(fit.intercept_[0]))))
    fit = fitted(found)
    print("WEIGHTS, BIAS =", *np.round([*fit.coef_[0], fit.intercept_[0]], 3))


if __name__ == "__main__":
    main()
