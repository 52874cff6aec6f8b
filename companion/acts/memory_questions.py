"""Whether a message asks for something that only what the person told can answer.

A logistic regression over the features of the acts, fitted by `scripts/fit_memory_questions.py` on
questions that strangers would put the day after a week of talk, against their tellings, ordinary
talk and what is grave. Such a question goes to recall and not to a written reply, and the guard has
to be surer to stop it: "which painkiller is it I can't have?" asks, and nothing is wrong.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.acts.features import Floats, features, form
from companion.engines.embedding.probe import PROBE, is_same
from companion.engines.protocols import Embedder
from companion.safety.wording import wording

FILE = Path(__file__).with_name("memory_questions.npz")


@dataclass(frozen=True)
class Weights:
    """f: number of features; d: dimension of the embedder."""

    weights: Floats
    """Shape (f,)."""

    bias: float
    probe: Floats
    """Shape (d,): the vector of PROBE."""

    def probability(self, words: str, said: str, vector: Floats, name: str) -> float:
        """words: as they were said; said: in the spelling of `wording`; vector: of `said`, shape
        (d,); name: the toy's own. By themselves: what was said before changes nothing."""
        x = features(form(words, said, "", name), said, vector, None)
        return float(1 / (1 + np.exp(-(x @ self.weights + self.bias))))

    def suits(self, vector: Floats) -> bool:
        """Whether an embedder is the one that the weights were fitted for. vector: its of PROBE."""
        return is_same(vector, self.probe)

    def write(self, path: Path = FILE) -> None:
        """Raises OSError."""
        np.savez_compressed(
            path,
            weights=self.weights.astype(np.float16),
            bias=np.float32(self.bias),
            probe=self.probe.astype(np.float16),
        )


def read(path: Path = FILE) -> Weights:
    """The weights of a file, by default those that are shipped. Raises OSError, ValueError."""
    with np.load(path, allow_pickle=False) as file:
        return Weights(
            file["weights"].astype(np.float32),
            float(file["bias"]),
            file["probe"].astype(np.float32),
        )


class MemoryQuestions:
    """One toy's. With an embedder that the weights do not fit, nothing is a question to memory."""

    def __init__(self, embedder: Embedder, name: str) -> None:
        """name: the toy's own."""
        self._embedder = embedder
        self._name = name
        self._lock = asyncio.Lock()
        self._opened = False
        self._weights: Weights | None = None

    async def probability(self, words: str) -> float:
        """0 to 1. Raises EngineError."""
        said = wording(words, self._name)
        await self._open()
        if self._weights is None or not said:
            return 0.0
        # Asked for as the repertoire does, so that an embedder that remembers computes it once.
        vector = (await self._embedder.embed_tokens([said]))[0].vector
        return self._weights.probability(words, said, vector, self._name)

    async def _open(self) -> None:
        async with self._lock:
            if self._opened:
                return
            known = await asyncio.to_thread(read)
            vector = (await self._embedder.embed([PROBE]))[0]
            self._opened = True
            self._weights = known if known.suits(vector) else None
