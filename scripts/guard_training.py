"""How the classifier of the guard is fitted: on sentences, each as it is and as it may be heard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from guard_sentences import SAFE, Sentence
from numpy.typing import NDArray

from companion.engines.protocols import Embedder
from companion.evaluation.mangle import mangled
from companion.safety.char_ngrams import hashed_ngrams
from companion.safety.classifier_weights import Floats, probabilities
from companion.safety.normalize import plain

COPIES = 1
"""Of each sentence, as a transcriber might write it."""

STEPS = 400
RATE = 8.0
PENALTY = 1e-5


@dataclass(frozen=True)
class Forms:
    """Every form of every sentence: n of them."""

    topics: tuple[str, ...]
    """The first is `SAFE`."""

    label: NDArray[np.int64]
    """Shape (n,): index into the topics."""

    family: NDArray[np.int64]
    author: NDArray[np.str_]
    """Shape (n,): the hand that wrote it, "" for our own."""

    as_written: NDArray[np.bool_]
    """Shape (n,): not damaged."""

    meaning: Floats
    """Shape (n, d): embeddings."""

    features: Floats
    """Shape (n, f): embeddings and n-grams."""


async def forms_of(found: Sequence[Sentence], topics: tuple[str, ...], embedder: Embedder) -> Forms:
    """topics: `SAFE`, then those of the guard. Raises EngineError."""
    rows: list[tuple[str, Sentence, bool]] = []
    for each in found:
        written = plain(each.text)
        damaged = {plain(copy) for copy in mangled(each.text, each.family, COPIES)} - {written}
        rows += [(text, each, text == written) for text in (written, *sorted(damaged))]
    texts = [text for text, _, _ in rows]
    meaning = await embedder.embed(texts)
    return Forms(
        topics,
        np.array([topics.index(each.topic) for _, each, _ in rows]),
        np.array([each.family for _, each, _ in rows]),
        np.array([each.author for _, each, _ in rows]),
        np.array([as_written for _, _, as_written in rows]),
        meaning,
        np.hstack([meaning, hashed_ngrams(texts)]),
    )


def topics_of(found: Sequence[Sentence]) -> tuple[str, ...]:
    return (SAFE, *sorted({each.topic for each in found} - {SAFE}))


def fit(features: Floats, label: NDArray[np.int64], classes: int) -> tuple[Floats, Floats]:
    """A softmax regression from nothing. features: (n, f), rows of norm near 1. Returns the
    regression (f, classes) and the bias (classes,)."""
    start = np.zeros((features.shape[1], classes), np.float32), np.zeros(classes, np.float32)
    return descend(features, label, balanced(label), start, STEPS)


def balanced(label: NDArray[np.int64]) -> Floats:
    """Shape (n,), sum 1: safe and unsafe sentences weigh the same in all, so that neither side's
    number decides."""
    safe = label == 0
    shares = np.where(safe, 0.5 / safe.sum(), 0.5 / (~safe).sum())
    return np.asarray(shares, dtype=np.float32)


def descend(
    features: Floats,
    label: NDArray[np.int64],
    weight: Floats,
    start: tuple[Floats, Floats],
    steps: int,
) -> tuple[Floats, Floats]:
    """Gradient descent with momentum and an L2 penalty, from a regression and its bias.

    weight: (n,), how much each row counts, sum 1."""
    regression, bias = start
    target = np.eye(len(bias), dtype=np.float32)[label]
    speed_r, speed_b = np.zeros_like(regression), np.zeros_like(bias)
    for _ in range(steps):
        error = (probabilities(features @ regression + bias) - target) * weight[:, None]
        speed_r = 0.9 * speed_r - RATE * (features.T @ error + PENALTY * regression)
        speed_b = 0.9 * speed_b - RATE * error.sum(axis=0)
        regression, bias = regression + speed_r, bias + speed_b
    return regression, bias
