"""Whether a language model's state after a message knows what the guard does not.

    .venv/bin/python scripts/message_states.py STATES.npz --of guard
    .venv/bin/python scripts/guard_states.py STATES.npz

Learns a logistic regression over the states of messages that the guard learnt from, too, with and
without six sets of pairs that it did not, and holds it against the shipped classifiers on hands
that neither knows: the area under the curve of either, and of both together, weighed by the other
hands. The product does without: docs/experiments.md, "What the model makes of a message". Needs the
extra sentence-transformers, which brings scikit-learn. Half an hour on two cores with the 1.5B for
the states.
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

import message_states
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

# The shipped guard has learnt from none of these: what they bring is no gain of the state's.
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


def by_state(states: Floats, lines: list[Line], *, pairs: bool) -> Floats:
    """The log odds of those that are judged. pairs: learn `LEARNT_PAIRS`, too."""
    learnt = np.array([each.learnt and (pairs or each.hand not in LEARNT_PAIRS) for each in lines])
    grave = np.array([each.grave for each in lines])
    spread = states[learnt].std(axis=0).clip(min=1e-3)
    states = (states - states[learnt].mean(axis=0)) / spread
    fit = LogisticRegression(C=STRENGTH, max_iter=400, class_weight="balanced")
    print(f"{int(learnt.sum())} messages learnt", flush=True)
    judged = np.array([not each.learnt for each in lines])
    found = fit.fit(states[learnt], grave[learnt]).decision_function(states[judged])
    return np.asarray(found, np.float32)


def together(both: Floats, grave: NDArray[np.bool_], hand: NDArray[np.str_]) -> Floats:
    """The log odds of two judges, weighed by the other hands."""
    found = np.zeros(len(both), np.float32)
    for name in set(hand):
        others = LogisticRegression().fit(both[hand != name], grave[hand != name])
        found[hand == name] = others.decision_function(both[hand == name])
    return found


def main() -> None:
    states = message_states.read(Path(sys.argv[1]), "guard")
    lines = rows()[: len(states)]
    judged = [each for each in lines if not each.learnt]
    grave, hand = (np.array([getattr(each, key) for each in judged]) for key in ("grave", "hand"))
    shipped = asyncio.run(_shipped(judged))
    scores = [shipped]
    for pairs in (False, True):
        state = by_state(states, lines, pairs=pairs)
        scores += [state, together(np.stack([shipped, state], axis=1), grave, hand)]
    print("area: shipped; state, both without pairs; state, both with them")
    for name in (*HANDS, *PAIRS, ""):
        part = hand == name if name else np.ones(len(hand), bool)
        if len(set(grave[part])) == 2:
            areas = "  ".join(f"{roc_auc_score(grave[part], each[part]):.3f}" for each in scores)
            print(f"{name or 'all':<12} {int(part.sum()):>5}  {areas}")


if __name__ == "__main__":
    main()
