"""The second layer: a small classifier over the embedder that is loaded anyway.

A softmax regression over the embedder's numbers and the runs of letters of `wording`, trained by
`scripts/train_guard.py` from sentences that were written for it, and corrected by which of those
sentences are nearest. It finds what no pattern foresaw, and is asked only where no pattern matched.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from companion.engines.protocols import Embedder
from companion.errors import ConfigError
from companion.safety.hearing import plain
from companion.safety.replies import stop
from companion.safety.verdict import PASS, Side, Topic, Verdict
from companion.safety.wording import wording

Floats = NDArray[np.float32]

FILE = Path(__file__).with_name("meaning.npz")
PROBE = "a cat sleeps on the warm stone"
"""Embedded once and compared: weights fit one embedder only, and must not judge by another."""

LEAST_COSINE = 0.97

NEAR = 0.45
"""Least cosine to a sentence that the classifier was trained to stop. A regression is sure of
itself far from all that it has seen: without this the first one stopped 21 % of what adults say in
MemoryBank's conversations, with it 3 %, and as many fresh crisis sentences as before."""

LEAST_SHARE = 1e-6
"""Keeps log odds finite."""

NEAREST = 3
CORRECTION = 4.0
"""What a difference in cosine of 1, between the nearest sentences to stop and the nearest to let
pass, adds to the log odds of the regression. Of unseen families it finds 1 % more crises, and 9 %
more of what else is to be stopped, at as many false alarms."""

WORDS = 24
"""A sentence of more words is judged in stretches of `STRETCH`, each `STEP` after the last."""

STRETCH = 12
STEP = 6


class Meaning:
    """Judges what a child says; the model's sentences it leaves to the patterns, for a good answer
    to a grave question is near to it in meaning."""

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
        heard = stretches(plain(text))
        vectors = await self._embedder.embed(heard)
        scores = np.hstack([vectors, wording(heard)]) @ self._weights + self._bias
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares = powers / powers.sum(axis=1, keepdims=True)
        dangers = danger(shares[:, 0], vectors, self._stopped, self._passed)
        worst = int(np.argmax(dangers))
        if float(dangers[worst]) <= self._threshold:
            return PASS
        if float((self._stopped @ vectors.T).max()) < NEAR:
            return PASS
        topic = self._topics[int(np.argmax(shares[worst, 1:]))]
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


def danger(safe: Floats, vectors: Floats, stopped: Floats, passed: Floats) -> Floats:
    """Shape (n,), 0 to 1: how unsafe each of n sentences is. safe: (n,), the regression's
    probabilities that it is not; vectors: (n, d), of the sentences; (m, d), of known ones."""
    odds = np.log((1 - safe + LEAST_SHARE) / (safe + LEAST_SHARE))
    corrected = odds + CORRECTION * (_closeness(vectors, stopped) - _closeness(vectors, passed))
    return np.asarray(1 / (1 + np.exp(-corrected)), dtype=np.float32)


def _closeness(vectors: Floats, others: Floats) -> Floats:
    """Mean cosine to the `NEAREST` of the others."""
    cosines = vectors @ others.T
    return np.asarray(np.partition(cosines, -NEAREST, axis=1)[:, -NEAREST:].mean(axis=1))


def stretches(heard: str) -> list[str]:
    """Each sentence; of a long one, overlapping stretches, so that nothing hides in many words."""
    found: list[str] = []
    for sentence in heard.split(" ."):
        words = sentence.split()
        if len(words) <= WORDS:
            found += [" ".join(words)] if words else []
        else:
            starts = range(0, len(words) - STRETCH + STEP, STEP)
            found += [" ".join(words[at : at + STRETCH]) for at in starts]
    return found or [heard]
