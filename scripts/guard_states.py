"""Whether a language model's state after a message knows what the guard does not.

    .venv/bin/python scripts/message_states.py STATES.npz --of guard
    .venv/bin/python scripts/guard_states.py STATES.npz

Learns a logistic regression over the states of messages that the guard learnt from, too, and holds
it against the shipped classifiers on hands that neither knows: the area under the curve of either,
and of both together, weighed by the other hands. The product does without: docs/experiments.md,
"What the model makes of a message". Needs the extra sentence-transformers, which brings
scikit-learn. Half an hour on two cores with the 1.5B for the states.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from guard_messages import messages
from guard_sentences import SAFE
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from companion import config, language
from companion.assembly.guard import message_classifier
from companion.assembly.models import open_embedder
from companion.safety.classifier import Classifier

HERE = Path(__file__).resolve().parent / "guard"
JUDGED = HERE.parent.parent / "tests" / "strangers" / "judged" / "messages"

HANDS = ("avocet", "brambling", "fulmar", "pinion", "dunnock")
"""Sets of messages that the shipped guard has not learnt from."""

PAIRS = ("sanderling", "turnstone")
"""The same of what happens now, and of what is so."""

LEARNT_PAIRS = ("tern", "stint", "knot", "ruff", "dotterel", "greenshank")

MOST = {
    **{"plain": 2000, "hint": 2000, "sounds": 2000, "near": 500},
    **{"harmless": 600, "care": 350, "talk": 1100, "own": 700},
}
"""Messages that are learnt of each group."""

STRENGTH = 0.01
ODDS = 1e-4
"""Certainties of the classifiers are cut here, for their log odds."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Line:
    """A message, what the toy said before it, and whether a grown-up has to hear of it."""

    said: str
    before: str
    grave: bool
    hand: str
    learnt: bool


def rows() -> list[Line]:
    """The hands that are judged first, then what is learnt, mixed."""
    chance = random.Random(3)
    groups: dict[str, list[Line]] = {}
    for each in messages():
        if each.author not in HANDS:
            line = Line(each.text, "", each.kind != SAFE, each.author, learnt=True)
            groups.setdefault(each.group, []).append(line)
    learnt: list[Line] = []
    for group, most in MOST.items():
        chance.shuffle(groups[group])
        learnt += groups[group][:most]
    learnt += _pairs(LEARNT_PAIRS, learnt=True)
    chance.shuffle(learnt)
    return [*_pairs(PAIRS, learnt=False), *_judged(), *learnt]


def _pairs(names: tuple[str, ...], *, learnt: bool) -> Iterator[Line]:
    for name in names:
        for row in _read(HERE / "now" / f"{name}.jsonl"):
            yield Line(row["said"], "", row["now"], name, learnt)


def _judged() -> Iterator[Line]:
    for name in HANDS:
        file = JUDGED / f"{name}.jsonl"
        for row in _read(file if file.exists() else HERE / "messages" / file.name):
            grave = row["kind"] in ("plain", "hint")
            yield Line(row["said"], row.get("before", ""), grave, name, learnt=False)


def _read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


async def _shipped(lines: list[Line]) -> Floats:
    """The log odds of the guard's classifiers."""
    base = config.load(profile="laptop")
    language.choose(base.language)
    async with open_embedder(base) as embedder:
        guard = Classifier(embedder, whole=message_classifier(base))
        unsafe = [(await guard.danger(each.said)).unsafe for each in lines]
    kept = np.clip(np.array(unsafe, np.float32), ODDS, 1 - ODDS)
    return np.asarray(np.log(kept / (1 - kept)), np.float32)


def main() -> None:
    with np.load(Path(sys.argv[1]), allow_pickle=False) as kept:
        states = kept["states"].astype(np.float32)
    lines = rows()[: len(states)]
    grave = np.array([each.grave for each in lines])
    learnt = np.array([each.learnt for each in lines])
    spread = states[learnt].std(axis=0).clip(min=1e-3)
    states = (states - states[learnt].mean(axis=0)) / spread
    fit = LogisticRegression(C=STRENGTH, max_iter=400, class_weight="balanced")
    by_state = fit.fit(states[learnt], grave[learnt]).decision_function(states[~learnt])
    judged = [each for each in lines if not each.learnt]
    both = np.stack([asyncio.run(_shipped(judged)), by_state], axis=1)
    grave, hand = grave[~learnt], np.array([each.hand for each in judged])
    together = np.zeros(len(judged))
    for name in set(hand):
        others = LogisticRegression().fit(both[hand != name], grave[hand != name])
        together[hand == name] = others.decision_function(both[hand == name])
    print(f"{int(learnt.sum())} messages learnt; area: shipped, state, both")
    for name in (*HANDS, *PAIRS, ""):
        part = hand == name if name else np.ones(len(hand), bool)
        if len(set(grave[part])) == 2:
            scores = (both[part, 0], both[part, 1], together[part])
            areas = "  ".join(f"{roc_auc_score(grave[part], each):.3f}" for each in scores)
            print(f"{name or 'all':<12} {int(part.sum()):>5}  {areas}")


if __name__ == "__main__":
    main()
