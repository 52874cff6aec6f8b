"""The second layer: a small classifier over the embedder that is loaded anyway.

A softmax regression over the embedding and the hashed n-grams of `char_ngrams`. It is trained by
`scripts/train_guard.py` on sentences written for it, and its result is corrected by the nearest of
those sentences. It finds what no pattern foresaw, and is asked only where no pattern matched.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from companion.engines.protocols import Embedder
from companion.errors import ConfigError
from companion.safety.char_ngrams import hashed_ngrams
from companion.safety.normalize import plain
from companion.safety.replies import stop
from companion.safety.verdict import PASS, Side, Topic, Verdict

Floats = NDArray[np.float32]

FILE = Path(__file__).with_name("classifier.npz")
PROBE = "a cat sleeps on the warm stone"
"""Embedded once and compared with a stored vector: the weights are only valid for the embedder
that they were trained with."""

LEAST_COSINE = 0.97

NEAR = 0.45
"""Least cosine to a sentence that the classifier was trained to stop. Far from all its training
data a regression is confidently wrong: without this bound the first one stopped 21 % of what adults
say in MemoryBank's conversations, with it 3 %, and as many fresh crisis sentences as before."""

LEAST_PROBABILITY = 1e-6
"""Keeps log odds finite."""

NEAREST = 3
CORRECTION = 4.0
"""Added to the log odds of the regression for a difference in cosine of 1 between the nearest
sentences to stop and the nearest to let pass. On unseen families this finds 1 % more crises, and
9 % more of the other topics, with as many false alarms."""

MOST_WORDS = 24
"""A sentence with more words is judged in windows of `WINDOW` words, `STRIDE` words apart."""

WINDOW = 12
STRIDE = 6


class Classifier:
    """Judges what a child says. The model's sentences are left to the patterns, because a good
    answer to a grave question is close to it in meaning."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        with np.load(FILE) as file:
            self._topics = [str(topic) for topic in file["topics"]]
            self._weights = file["weights"].astype(np.float32)
            self._bias = file["bias"].astype(np.float32)
            self._threshold = float(file["threshold"])
            self._probe = file["probe"].astype(np.float32)
            self._stopped = file["stopped"].astype(np.float32) / 127
            self._passed = file["passed"].astype(np.float32) / 127
        self._checked = False

    async def judge(self, text: str, *, side: Side) -> Verdict:
        """Raises EngineError when the embedder fails, and what `check` raises."""
        if side == "out":
            return PASS
        if not self._checked:
            await self.check()
        spelled = windows(plain(text))
        vectors = await self._embedder.embed(spelled)
        scores = np.hstack([vectors, hashed_ngrams(spelled)]) @ self._weights + self._bias
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        probabilities = powers / powers.sum(axis=1, keepdims=True)
        unsafe = unsafe_probability(probabilities[:, 0], vectors, self._stopped, self._passed)
        worst = int(np.argmax(unsafe))
        if float(unsafe[worst]) <= self._threshold:
            return PASS
        if float((self._stopped @ vectors.T).max()) < NEAR:
            return PASS
        topic = self._topics[int(np.argmax(probabilities[worst, 1:]))]
        return stop(cast(Topic, topic), side, "meaning")

    async def check(self) -> None:
        """Raises ConfigError when the embedder is not the one of the weights, EngineError."""
        found = (await self._embedder.embed([PROBE]))[0]
        if found.shape != self._probe.shape or float(found @ self._probe) < LEAST_COSINE:
            raise ConfigError(
                f"safety.guard: full works with MiniLM only, not with {self._embedder.name}: "
                "set embedder.model to minilm-int8, or safety.guard to patterns"
            )
        self._checked = True


def unsafe_probability(safe: Floats, vectors: Floats, stopped: Floats, passed: Floats) -> Floats:
    """Shape (n,), 0 to 1: how unsafe each of n sentences is. safe: (n,), the regression's
    probabilities that each is safe; vectors: (n, d), of the sentences; stopped, passed: (m, d), of
    known sentences to stop and to let pass."""
    odds = np.log((1 - safe + LEAST_PROBABILITY) / (safe + LEAST_PROBABILITY))
    corrected = odds + CORRECTION * (_closeness(vectors, stopped) - _closeness(vectors, passed))
    return np.asarray(1 / (1 + np.exp(-corrected)), dtype=np.float32)


def _closeness(vectors: Floats, others: Floats) -> Floats:
    """Mean cosine to the `NEAREST` closest of the others."""
    cosines = vectors @ others.T
    return np.asarray(np.partition(cosines, -NEAREST, axis=1)[:, -NEAREST:].mean(axis=1))


def windows(text: str) -> list[str]:
    """The sentences of a text; a long one as overlapping windows, so that its length hides
    nothing."""
    found: list[str] = []
    for sentence in text.split(" ."):
        words = sentence.split()
        if len(words) <= MOST_WORDS:
            found += [" ".join(words)] if words else []
        else:
            starts = range(0, len(words) - WINDOW + STRIDE, STRIDE)
            found += [" ".join(words[at : at + WINDOW]) for at in starts]
    return found or [text]
