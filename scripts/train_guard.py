"""Train the classifier of the guard (`companion/safety/classifier.npz`) from our own sentences.

Reads scripts/guard/*.txt, takes every sentence as it is and as a transcriber might write it, and
fits a softmax regression over topics and "safe", on meaning (the default embedder) and n-grams
together. The threshold and the figures that this prints come from families (sentences alike) that
the regression had not seen: three are fitted, each without a third of the families. The shipped one
is fitted on all.

    python scripts/train_guard.py [--dry]
"""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import dataclass

import numpy as np
from guard_sentences import SAFE, Sentence, sentences
from numpy.typing import NDArray

from companion import config
from companion.assembly.models import open_embedder
from companion.evaluation.mangle import mangled
from companion.safety.char_ngrams import hashed_ngrams
from companion.safety.classifier import FILE, NEAR, PROBE, Floats, unsafe_probability
from companion.safety.normalize import plain
from companion.safety.verdict import CRISIS

FOLDS = 3
COPIES = 1
"""Of each sentence, as a transcriber might write it."""

STEPS = 400
RATE = 8.0
PENALTY = 1e-5

FALSE_ALARMS = 0.045
"""Most of the unseen safe sentences that may be stopped. They are far harder than what children
say all day: most of them were written in the words of unsafe ones."""


@dataclass(frozen=True)
class Forms:
    """Every form of every sentence: n of them."""

    texts: list[str]
    label: NDArray[np.int64]
    """Shape (n,): index into the topics, 0 is safe."""

    family: NDArray[np.int64]
    as_written: NDArray[np.bool_]
    """Shape (n,): not damaged."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true", help="print the figures, write nothing")
    arguments = parser.parse_args()
    asyncio.run(_train(sentences(), write=not arguments.dry))


async def _train(found: list[Sentence], *, write: bool) -> None:
    topics = [SAFE, *sorted({each.topic for each in found} - {SAFE})]
    forms = _forms(found, topics)
    async with open_embedder(config.load()) as embedder:
        meaning = await embedder.embed(forms.texts)
        probe = (await embedder.embed([PROBE]))[0]
    features = np.hstack([meaning, hashed_ngrams(forms.texts)])
    unsafe = _unseen_probability(features, meaning, forms, len(topics))
    safe, written = forms.label == 0, forms.as_written
    threshold = max(0.5, float(np.quantile(unsafe[safe & written], 1 - FALSE_ALARMS)))
    print(f"{len(found)} sentences, {len(forms.texts)} forms, threshold {threshold:.3f}")
    crisis = np.isin(forms.label, [topics.index(topic) for topic in CRISIS])
    for name, rows in (("safe", safe), ("crisis", crisis), ("other unsafe", ~safe & ~crisis)):
        stopped = unsafe > threshold
        print(
            f"  {name:<12} stopped, unseen families: {stopped[rows & written].mean():.1%}, "
            f"damaged: {stopped[rows & ~written].mean():.1%}"
        )
    if write:
        weights, bias = fit(features, forms.label, len(topics))
        np.savez_compressed(
            FILE,
            topics=np.array(topics[1:]),
            weights=weights.astype(np.float16),
            bias=bias,
            threshold=np.float32(threshold),
            probe=probe.astype(np.float16),
            stopped=np.rint(meaning[~safe & written] * 127).astype(np.int8),
            passed=np.rint(meaning[safe & written] * 127).astype(np.int8),
        )
        print(f"wrote {FILE} ({FILE.stat().st_size} bytes)")


def _forms(found: list[Sentence], topics: list[str]) -> Forms:
    rows: list[tuple[str, int, int, bool]] = []
    for each in found:
        written = plain(each.text)
        damaged = {plain(copy) for copy in mangled(each.text, each.family, COPIES)} - {written}
        for text in (written, *sorted(damaged)):
            rows.append((text, topics.index(each.topic), each.family, text == written))
    texts, labels, families, as_written = zip(*rows, strict=True)
    return Forms(list(texts), np.array(labels), np.array(families), np.array(as_written))


def _unseen_probability(features: Floats, meaning: Floats, forms: Forms, classes: int) -> Floats:
    """Shape (n,): how unsafe each form is to the regression that had not seen its family."""
    found = np.zeros(len(features), dtype=np.float32)
    for fold in range(FOLDS):
        held = forms.family % FOLDS == fold
        weights, bias = fit(features[~held], forms.label[~held], classes)
        seen, unsafe = ~held & forms.as_written, forms.label != 0
        stopped, passed = meaning[seen & unsafe], meaning[seen & ~unsafe]
        near = (meaning[held] @ stopped.T).max(axis=1) >= NEAR
        safe = probabilities(features[held], weights, bias)[:, 0]
        found[held] = near * unsafe_probability(safe, meaning[held], stopped, passed)
    return found


def fit(features: Floats, label: NDArray[np.int64], classes: int) -> tuple[Floats, Floats]:
    """Softmax regression with an L2 penalty, by gradient descent with momentum.

    features: (n, dimension), rows of norm near 1. Returns weights (dimension, classes) and bias
    (classes,). Safe and unsafe sentences weigh the same in all, so that neither side's number
    decides.
    """
    n, dimension = features.shape
    target = np.eye(classes, dtype=np.float32)[label]
    shares = np.where(label == 0, 0.5 / (label == 0).mean(), 0.5 / (label != 0).mean()) / n
    weight = shares.astype(np.float32)[:, None]
    weights, bias = np.zeros((dimension, classes), np.float32), np.zeros(classes, np.float32)
    speed_w, speed_b = np.zeros_like(weights), np.zeros_like(bias)
    for _ in range(STEPS):
        error = (probabilities(features, weights, bias) - target) * weight
        speed_w = 0.9 * speed_w - RATE * (features.T @ error + PENALTY * weights)
        speed_b = 0.9 * speed_b - RATE * error.sum(axis=0)
        weights, bias = weights + speed_w, bias + speed_b
    return weights, bias


def probabilities(features: Floats, weights: Floats, bias: Floats) -> Floats:
    """(n, classes), rows that add up to 1."""
    scores = features @ weights + bias
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


if __name__ == "__main__":
    main()
