"""From features to a probability for each act: a softmax regression, which
`scripts/fit_acts.py` fits.

Its probabilities are calibrated: of what it says with 0.8, about eight in ten are right.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.acts.features import Floats, features, form
from companion.answering import Reading
from companion.engines.embedding.probe import is_same

FILE = Path(__file__).with_name("weights.npz")


@dataclass(frozen=True)
class Classifier:
    """f: number of features; a: of acts; d: dimension of the embedder."""

    acts: tuple[str, ...]
    weights: Floats
    """Shape (f, a)."""

    bias: Floats
    """Shape (a,)."""

    temperature: float
    """Scores are divided by it."""

    probe: Floats
    """Shape (d,): the vector of PROBE."""

    def reading(
        self, words: str, said: str, vector: Floats, previous: str, before: Floats | None, name: str
    ) -> Reading:
        """words: as they were said; said: in the spelling of `wording`; vector: of `said`, shape
        (d,); previous: what the toy said before, and before: its vector, None where it said
        nothing; name: the toy's own."""
        x = features(form(words, said, previous, name), said, vector, before)
        scores = (x @ self.weights + self.bias) / self.temperature
        powers = np.exp(scores - scores.max())
        found = (powers / powers.sum()).tolist()
        return Reading(dict(zip(self.acts, found, strict=True)))

    def suits(self, vector: Floats) -> bool:
        """Whether an embedder is the one that the weights were fitted for. vector: its of PROBE."""
        return is_same(vector, self.probe)

    def write(self, path: Path = FILE) -> None:
        """Raises OSError."""
        np.savez_compressed(
            path,
            acts=np.array(self.acts),
            weights=self.weights.astype(np.float16),
            bias=self.bias,
            temperature=np.float32(self.temperature),
            probe=self.probe.astype(np.float16),
        )


def read(path: Path = FILE) -> Classifier:
    """The weights of a file, by default those that are shipped. Raises OSError, ValueError."""
    with np.load(path, allow_pickle=False) as file:
        return Classifier(
            tuple(str(act) for act in file["acts"]),
            file["weights"].astype(np.float32),
            file["bias"].astype(np.float32),
            float(file["temperature"]),
            file["probe"].astype(np.float32),
        )
