"""Which words of a message a good listener repeats: "a tin band", "your gran's boat".

Every run of one to six words that no punctuation cuts is scored by a small network over the token
vectors of the embedder, and by its first and last word, the words around it and where it stands.
`scripts/fit_uptake.py` fits it to what readers would have repeated (`scripts/uptake`). To repeat
what somebody said is the simplest sign of having heard it ("other-repetition" in conversation
analysis, "uptake" in Demszky et al., ACL 2021).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from companion.engines.protocols import TextVectors

MOST_WORDS = 6

BUCKETS = 4096
"""For words, by their checksum."""

PLACES = 5
"""Parts of a message by which it is known where words stand."""

_WORD = re.compile(r"\w[\w'’-]*")
_CUTS = re.compile(r"[.,!?;:\"()…“”—]|\s[-–]\s")
_START, _END = "<start>", "<end>"

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Runs:
    """The runs of words of one message. w: words; r: runs; f: signs of a run."""

    text: str
    words: Ints
    """Shape (w, 2): the characters of each word, the end excluded."""

    edges: Floats
    """Shape (w, 2, dimension): the vectors of each word's first and last token."""

    runs: Ints
    """Shape (r, 2): the first and the last word."""

    signs: Ints
    """Shape (r, f): buckets."""

    def of(self, run: int) -> str:
        """Its words as they stand in the text."""
        first, last = self.runs[run]
        return self.text[self.words[first, 0] : self.words[last, 1]]


def runs(text: str, vectors: TextVectors) -> Runs | None:
    """None where no word has a vector of its own."""
    words, edges = [], []
    for found in _WORD.finditer(text):
        begin, end = found.span()
        inside = np.flatnonzero((vectors.spans[:, 0] < end) & (vectors.spans[:, 1] > begin))
        if len(inside):
            words.append((begin, end))
            edges.append(vectors.tokens[inside[[0, -1]]])
    if not words:
        return None
    cut = [bool(_CUTS.search(text[left[1] : right[0]])) for left, right in pairwise(words)]
    found_runs = [
        (first, last)
        for first in range(len(words))
        for last in range(first, min(len(words), first + MOST_WORDS))
        if not any(cut[first:last])
    ]
    signs = [_signs(text, words, cut, first, last) for first, last in found_runs]
    return Runs(text, np.array(words), np.stack(edges), np.array(found_runs), np.array(signs))


def _signs(
    text: str, words: Sequence[tuple[int, int]], cut: Sequence[bool], first: int, last: int
) -> list[int]:
    """Buckets of what is known of a run besides its vectors."""

    def word(at: int) -> str:
        return text[words[at][0] : words[at][1]].lower()

    before = word(first - 1) if first and not cut[first - 1] else _START
    after = word(last + 1) if last + 1 < len(words) and not cut[last] else _END
    mark = text[words[last][1] : words[last][1] + 1]
    signs = (
        f"before {before}",
        f"first {word(first)}",
        f"last {word(last)}",
        f"after {after}",
        f"words {last - first + 1}",
        f"capital {text[words[first][0]].isupper()}",
        f"ending {word(last)[-3:]}",
        f"place {first * PLACES // len(words)}",
        f"mark {mark if mark in '.,!?' else ''}",
    )
    return [zlib.crc32(sign.encode()) % BUCKETS for sign in signs]


@dataclass(frozen=True)
class Echoes:
    """d: dimension of the embedder; k: axes that are kept of it; h: hidden units."""

    axes: Floats
    """Shape (d, k)."""

    offset: Floats
    """Shape (k,)."""

    hidden: Floats
    """Shape (6 k, h): of the word before, first and last word, the word after, their mean, and the
    whole text."""

    hidden_bias: Floats
    """Shape (h,)."""

    out: Floats
    """Shape (h,)."""

    out_bias: float

    by_sign: Floats
    """Shape (BUCKETS,)."""

    none: Floats
    """Shape (k,): that nothing is worth repeating, by the whole text."""

    none_bias: float

    def best(self, message: Runs, whole: Floats) -> tuple[str, float]:
        """The words that are best repeated, and how likely a reader would repeat just these; ""
        where it is likelier that nothing should be. whole: the vector of the text, shape (d,)."""
        scores = self.scores(message, whole)
        powers = np.exp(scores - scores.max())
        likely = powers / powers.sum()
        run = int(likely[:-1].argmax())
        if likely[-1] > likely[run]:
            return "", float(likely[-1])
        return message.of(run), float(likely[run])

    def scores(self, message: Runs, whole: Floats) -> Floats:
        """Shape (r + 1,), the last: nothing is repeated."""
        edges = message.edges @ self.axes + self.offset
        begins, ends = edges[:, 0], edges[:, 1]
        beyond = np.zeros((1, edges.shape[-1]), np.float32)
        before = np.concatenate([beyond, ends[:-1]])
        after = np.concatenate([begins[1:], beyond])
        sums = np.concatenate([beyond, edges.mean(axis=1).cumsum(axis=0)])
        first, last = message.runs[:, 0], message.runs[:, 1]
        mean = (sums[last + 1] - sums[first]) / (last - first + 1)[:, None]
        text = whole @ self.axes + self.offset
        every = np.broadcast_to(text, (len(first), len(text)))
        parts = [before[first], begins[first], ends[last], after[last], mean, every]
        units = np.maximum(np.concatenate(parts, axis=1) @ self.hidden + self.hidden_bias, 0)
        scores = units @ self.out + self.out_bias + self.by_sign[message.signs].sum(axis=1)
        return np.append(scores, text @ self.none + self.none_bias).astype(np.float32)
