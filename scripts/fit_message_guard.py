r"""How the guard weighs whole messages and their sentences, fitted to authors that neither knew.

    .venv/bin/python scripts/fit_message_guard.py PREDICTIONS.npz

PREDICTIONS is written by `train_message_guard.py --held-out`. Prints the weights for
`companion/safety/whole_message.py`, of short and of long messages: a logistic regression over both
log odds, then stretched so that the guard's limits of care and of stopping (`classifier.CARE`, the
threshold of the shipped classifier) leave what they should of harmless talk. Last, what then
becomes of each group, and what the sentences alone would make of it.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from pathlib import Path

import guard_own
import numpy as np
from guard_hands import hands
from guard_left_out import alone, further, heard, scored
from guard_messages import Message, held_out, messages
from guard_sentences import SAFE
from guard_talk import TALKERS, talk
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from companion import config
from companion.assembly.models import open_embedder
from companion.evaluation.guarded import Labelled
from companion.safety.classifier import CARE
from companion.safety.classifier_weights import Weights, read, shipped
from companion.safety.normalize import plain
from companion.safety.normalize import sentences as split
from companion.safety.whole_message import FEW, MOST

CALM = ("talk", "sounds", "near", "harmless")
MOST_HEARD = {"SHORT": 0.035, "LONG": 0.045}
"""The most of what is harmless that may be stopped or cared about, as the classifiers decide: of
short ones as few as leave as many grave ones heard as with the sentences alone."""

MOST_STOPPED = {"SHORT": 0.01, "LONG": 0.012}

Odds = NDArray[np.float64]


async def _sentences(found: list[Message]) -> Odds:
    """The log odds of the worst sentence of each, to a classifier that knew none of the authors."""
    out = held_out()
    async with open_embedder(config.load()) as embedder:
        training = await further(
            read(guard_own.FILE),
            hands(),
            {a: s for a, s in talk().items() if a in TALKERS},
            embedder,
        )
        lines = [Labelled(text=each.text, group=each.group, topic=each.kind) for each in found]
        parts = await heard(alone(lines), embedder)
    weights: Weights = training.trained(sorted(out))
    unsafe = np.array([each.danger.unsafe for each in scored(parts, weights)], np.float64)
    kept = np.clip(unsafe, 1e-6, 1 - 1e-6)
    return np.clip(np.log(kept / (1 - kept)), -MOST, MOST)


def _whole(logits: NDArray[np.float32]) -> Odds:
    """How much likelier each is to be about something grave than not, in log odds."""
    grave = np.logaddexp.reduce(logits[:, 1:].astype(np.float64), axis=1)
    return np.asarray(grave - logits[:, 0])


def main() -> None:
    out = held_out()
    found = [each for each in messages() if each.author in out]
    whole = _whole(np.load(Path(sys.argv[1]))["logits"])
    sentences = asyncio.run(_sentences(found))
    both = np.stack([sentences, whole], axis=1)
    grave = np.array([each.kind != SAFE for each in found])
    group = np.array([each.group for each in found])
    short = np.array([len(split(plain(each.text))) <= FEW for each in found])
    limits = [np.log(each / (1 - each)) for each in (CARE, shipped().threshold)]
    for name, part in (("SHORT", short), ("LONG", ~short)):
        kept = part & np.isin(group, [*CALM, "plain", "hint"])
        calm = kept & np.isin(group, CALM) & ~grave
        regression = LogisticRegression(class_weight="balanced").fit(both[kept], grave[kept])
        score = both @ regression.coef_[0]
        heard_at, stopped_at = np.quantile(
            score[calm], [1 - MOST_HEARD[name], 1 - MOST_STOPPED[name]]
        )
        scale = (limits[1] - limits[0]) / (stopped_at - heard_at)
        shift = limits[0] - scale * heard_at
        print(f"{name} =", *np.round([*scale * regression.coef_[0], shift], 3))
        for label, odds in (("both", scale * score + shift), ("sentences alone", sentences)):
            outcome = np.select([odds > limits[1], odds > limits[0]], ["stop", "care"], "pass")
            for each in sorted(set(group[kept])):
                print(" ", label, each, dict(Counter(outcome[kept & (group == each)])))


if __name__ == "__main__":
    main()
