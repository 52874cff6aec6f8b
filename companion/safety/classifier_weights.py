"""What the classifier learnt: the weights of a softmax regression, and known sentences beside it.

`scripts/train_guard.py` fits and writes them; `classifier.npz` holds those that are shipped.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from companion.safety.char_ngrams import hashed_ngrams
from companion.safety.verdict import Topic

Floats = NDArray[np.float32]
Known = NDArray[np.int8] | Floats
"""Embeddings of known sentences; as bytes, each number of -1 to 1 is an int8 of -127 to 127."""

FILE = Path(__file__).with_name("classifier.npz")

LEAST_PROBABILITY = 1e-6
"""Keeps log odds finite."""

NEAR = 0.4
"""Least cosine to a sentence that the classifier was trained to stop. Far from all its training
data a regression is confidently wrong: without this bound the first one stopped 21 % of what adults
say in MemoryBank's conversations, with 0.45 3 %. Now that it knows much ordinary talk, 0.4 hears
two more of 40 hints than 0.45, for 0.5 % more of ordinary talk that is cared about."""

BLOCK = 256
"""Known sentences that are made floats at once: all of them would be 20 MB, and no quicker."""

NEAREST = 3
CORRECTION = 32.0
"""Added to the log odds of the regression for a difference in cosine of 1 between the nearest
sentences to stop and the nearest to let pass. Where 94 % of the plain sentences of hands that were
left out are stopped, 2.2 % of those near to them are with 32 or 48, 4 to 5 % with 4."""


def log_odds(probability: float) -> float:
    """Finite for 0 and 1."""
    kept = min(max(probability, LEAST_PROBABILITY), 1 - LEAST_PROBABILITY)
    return math.log(kept / (1 - kept))


class Danger(NamedTuple):
    """How a text is judged."""

    unsafe: float
    """0 to 1."""

    topic: Topic
    certainty: float
    """0 to 1: how much more than for all other topics together the regression is for this one."""


@dataclass(frozen=True)
class Weights:
    """d: dimension of the embedder; f: d and the n-grams; t: topics, without "safe"."""

    topics: tuple[str, ...]
    regression: Floats
    """Shape (f, 1 + t); the first column is "safe"."""

    bias: Floats
    """Shape (1 + t,)."""

    threshold: float
    """What is more unsafe than this is stopped."""

    probe: Floats
    """Shape (d,): the embedding of `engines.embedding.probe.PROBE`."""

    stopped: Known
    """Shape (n, d): embeddings of sentences to stop."""

    passed: Known
    """Shape (n, d): of sentences to let pass."""

    def danger(self, spelled: list[str], vectors: Floats) -> Danger:
        """How unsafe the worst of the stretches of one text is.

        spelled: the stretches in plain spelling; vectors: their embeddings, shape (n, d)."""
        scores = np.hstack([vectors, hashed_ngrams(spelled)]) @ self.regression + self.bias
        found = probabilities(scores)
        near = float(cosines(vectors, self.stopped).max()) >= NEAR
        unsafe = near * unsafe_probability(found[:, 0], vectors, self.stopped, self.passed)
        worst = int(np.argmax(unsafe))
        shares = found[worst, 1:] / found[worst, 1:].sum()
        topic = int(np.argmax(shares))
        return Danger(float(unsafe[worst]), cast(Topic, self.topics[topic]), float(shares[topic]))

    def write(self, path: Path = FILE) -> None:
        np.savez_compressed(
            path,
            topics=np.array(self.topics),
            weights=self.regression.astype(np.float16),
            bias=self.bias,
            threshold=np.float32(self.threshold),
            probe=self.probe.astype(np.float16),
            stopped=np.rint(as_floats(self.stopped) * 127).astype(np.int8),
            passed=np.rint(as_floats(self.passed) * 127).astype(np.int8),
        )


@lru_cache(maxsize=1)
def shipped() -> Weights:
    """The weights that are shipped, read once for all who ask."""
    return read()


def read(path: Path = FILE) -> Weights:
    """The weights of a file, by default those that are shipped."""
    with np.load(path) as file:
        return Weights(
            tuple(str(topic) for topic in file["topics"]),
            file["weights"].astype(np.float32),
            file["bias"].astype(np.float32),
            float(file["threshold"]),
            file["probe"].astype(np.float32),
            file["stopped"],
            file["passed"],
        )


def probabilities(scores: Floats) -> Floats:
    """Softmax: (n, classes), rows that add up to 1."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def as_floats(known: Known) -> Floats:
    """The same as numbers of -1 to 1."""
    scale = 127 if known.dtype == np.int8 else 1
    return np.asarray(known / np.float32(scale), np.float32)


def cosines(vectors: Floats, known: Known) -> Floats:
    """Shape (n, m). vectors: (n, d); known: (m, d)."""
    found = np.empty((len(known), len(vectors)), np.float32)
    for start in range(0, len(known), BLOCK):
        block = as_floats(known[start : start + BLOCK])
        np.dot(block, vectors.T, out=found[start : start + BLOCK])
    return np.asarray(found.T)


def unsafe_probability(safe: Floats, vectors: Floats, stopped: Known, passed: Known) -> Floats:
    """Shape (n,), 0 to 1: how unsafe each of n sentences is. safe: (n,), the regression's
    probabilities that each is safe; vectors: (n, d), of the sentences; stopped, passed: (m, d), of
    known sentences to stop and to let pass."""
    odds = np.log((1 - safe + LEAST_PROBABILITY) / (safe + LEAST_PROBABILITY))
    leaning = _closeness(vectors, stopped) - _closeness(vectors, passed)
    return np.asarray(1 / (1 + np.exp(-odds - CORRECTION * leaning)), dtype=np.float32)


def _closeness(vectors: Floats, others: Known) -> Floats:
    """Mean cosine to the `NEAREST` closest of the others."""
    near = np.partition(cosines(vectors, others), -NEAREST, axis=1)[:, -NEAREST:]
    return np.asarray(near.mean(axis=1))
