"""In which ways two short texts are alike, by their letters and words alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache

from companion import language

_LIKE = 0.5
"""Likeness from which a word counts as a form of another."""


class Rarity:
    """How much each word tells: the rarer among some texts, the more."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = Counter(word for text in texts for word in set(text.split()))
        self._rarest = math.log(len(texts) + 1)
        self._of = {word: math.log((len(texts) + 1) / count) for word, count in counts.items()}

    def of(self, word: str) -> float:
        """Of a word of no text as much as of the rarest."""
        return self._of.get(word, self._rarest)

    def uncovered(self, words: Counter[str], known: Collection[str]) -> float:
        """The share of words, the rarer the heavier, that are not among the known ones; half of it
        where one is nearly among them."""
        total = missing = 0.0
        for word, count in words.items():
            weight = count * self.of(word)
            total += weight
            if word not in known:
                like = max((dice(word, each) for each in known), default=0.0)
                missing += weight * (1.0 - (like if like >= _LIKE else 0.0))
        return missing / total if total else 0.0


def turned(one: str, other: str) -> list[bool]:
    """In which ways one text is the other turned round; see `language.similarity.stance`."""
    first, second = language.similarity.stance(one), language.similarity.stance(other)
    return [a != b for a, b in zip(first, second, strict=True)]


def dice(one: str, other: str) -> float:
    """How many runs of three letters two texts share, 0 to 1."""
    first, second = _runs(one), _runs(other)
    return 2 * len(first & second) / (len(first) + len(second))


@lru_cache(maxsize=16384)
def _runs(text: str) -> frozenset[str]:
    edged = f" {text} "
    return frozenset(edged[at : at + 3] for at in range(len(edged) - 2))
