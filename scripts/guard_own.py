"""The classifier that knows our own sentences only (`scripts/guard/own.npz`): how it is fitted, and
what further training needs of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from guard_sentences import SAFE, Sentence
from guard_training import Forms, fit, forms_of, topics_of
from numpy.typing import NDArray

from companion.engines.embedding.probe import PROBE
from companion.engines.protocols import Embedder
from companion.safety.char_ngrams import hashed_ngrams
from companion.safety.classifier_weights import (
    NEAR,
    Floats,
    Weights,
    as_floats,
    cosines,
    probabilities,
    unsafe_probability,
)
from companion.safety.normalize import plain
from companion.safety.verdict import CRISIS

FILE = Path(__file__).parent / "guard" / "own.npz"

FOLDS = 3

FALSE_ALARMS = 0.045
"""Most of the unseen safe sentences that may be stopped. They are far harder than what children
say all day: most of them were written in the words of unsafe ones."""


async def fitted(found: Sequence[Sentence], embedder: Embedder) -> Weights:
    """Fitted on all the sentences; prints how it does on families that it had not seen. Raises
    EngineError."""
    forms = await forms_of(found, topics_of(found), embedder)
    probe = (await embedder.embed([PROBE]))[0]
    unsafe = _unseen_danger(forms, probe)
    safe, written = forms.label == 0, forms.as_written
    threshold = max(0.5, float(np.quantile(unsafe[safe & written], 1 - FALSE_ALARMS)))
    print(f"{len(found)} sentences, {len(forms.label)} forms, threshold {threshold:.3f}")
    crisis = np.isin(forms.label, [forms.topics.index(topic) for topic in CRISIS])
    for name, rows in (("safe", safe), ("crisis", crisis), ("other unsafe", ~safe & ~crisis)):
        stopped = unsafe > threshold
        print(
            f"  {name:<12} stopped, unseen families: {stopped[rows & written].mean():.1%}, "
            f"damaged: {stopped[rows & ~written].mean():.1%}"
        )
    return _weights(forms, np.ones_like(written), threshold, probe)


def _weights(forms: Forms, rows: NDArray[np.bool_], threshold: float, probe: Floats) -> Weights:
    regression, bias = fit(forms.features[rows], forms.label[rows], len(forms.topics))
    seen, unsafe = rows & forms.as_written, forms.label != 0
    stopped, passed = forms.meaning[seen & unsafe], forms.meaning[seen & ~unsafe]
    return Weights(forms.topics[1:], regression, bias, threshold, probe, stopped, passed)


def _unseen_danger(forms: Forms, probe: Floats) -> Floats:
    """Shape (n,): how unsafe each form is to one of `FOLDS` regressions, which had not seen its
    family."""
    found = np.zeros(len(forms.label), dtype=np.float32)
    for fold in range(FOLDS):
        held = forms.family % FOLDS == fold
        weights = _weights(forms, ~held, 0.5, probe)
        vectors = forms.meaning[held]
        near = cosines(vectors, weights.stopped).max(axis=1) >= NEAR
        safe = probabilities(forms.features[held] @ weights.regression + weights.bias)[:, 0]
        found[held] = near * unsafe_probability(safe, vectors, weights.stopped, weights.passed)
    return found


def remembered(own: Weights, found: Sequence[Sentence]) -> tuple[Floats, NDArray[np.int64]]:
    """The features (n, f) and labels (n,) of the sentences that `own` was fitted on, as written;
    their embeddings stand in it. Raises SystemExit when the sentences have changed since."""
    topics = (SAFE, *own.topics)
    label = np.array([topics.index(each.topic) for each in found])
    if ((label != 0).sum(), (label == 0).sum()) != (len(own.stopped), len(own.passed)):
        raise SystemExit(f"{FILE}: the sentences have changed: run train_guard.py --own")
    meaning = np.zeros((len(found), len(own.probe)), dtype=np.float32)
    meaning[label != 0], meaning[label == 0] = as_floats(own.stopped), as_floats(own.passed)
    return np.hstack([meaning, hashed_ngrams([plain(each.text) for each in found])]), label
