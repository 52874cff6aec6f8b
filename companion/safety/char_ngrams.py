"""Character and word n-grams: what the classifier sees of a sentence besides its embedding.

Character n-grams still match a misspelt or misheard word whose embedding is useless: most of
"<swal", "allow", "owed>" is still in "swalowed".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

SIZE = 2048
"""Number of hash buckets. Collisions occur and cost little."""

_RUNS = (3, 4, 5)


def hashed_ngrams(sentences: Sequence[str]) -> NDArray[np.float32]:
    """Shape (len(sentences), SIZE), rows of L2 norm 1: which runs of 3 to 5 letters, which words
    and which pairs of words occur, not how often. sentences: as `normalize.plain` spells them."""
    found = np.zeros((len(sentences), SIZE), dtype=np.float32)
    for row, sentence in zip(found, sentences, strict=True):
        places = _places(sentence.replace(".", " ").split())
        row[places] = 1 / np.sqrt(max(1, len(places)))
    return found


def _places(words: list[str]) -> list[int]:
    parts = {*words, *(f"{one} {two}" for one, two in pairwise(words))}
    for word in words:
        edged = f"<{word}>"
        for length in _RUNS:
            parts.update(edged[at : at + length] for at in range(len(edged) - length + 1))
    return sorted({crc32(part.encode()) % SIZE for part in parts})
