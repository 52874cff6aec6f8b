"""The wordings of all entries with their vectors, and how near a message is to each entry.

Pure functions over arrays: no engine, no clock. Looking up takes one product of a matrix with a
vector, and a closer look at the nearest few entries.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.engines.protocols import TextVectors
from companion.repertoire.alike import Rarity, dice, turned
from companion.repertoire.certainty import LEAST_COSINE, Likeness
from companion.repertoire.packs import Entry

Vectors = NDArray[np.float32]

LOOKED_AT = 3
"""Entries that are looked at more closely."""

_TRIED = 5
"""Wordings of an entry that are."""

_TURN = 0.05
"""Cosine that a wording loses for each way in which it is turned round."""


@dataclass(frozen=True)
class Near:
    """An entry near a message."""

    entry: Entry
    wording: str
    """That of its wordings which is nearest."""

    likeness: Likeness

    @property
    def certainty(self) -> float:
        """0 to 1: how likely its replies answer the message; 0 where it is not near, or nearer to
        what wants another answer."""
        near = self.likeness.cosine >= LEAST_COSINE and self.likeness.ahead_of_unlike >= 0
        return self.likeness.certainty if near else 0.0


class Index:
    """All entries that may answer."""

    def __init__(self, entries: Sequence[Entry], vector_of: Callable[[str], Vectors]) -> None:
        """vector_of: the unit vector of a wording, shape (d,)."""
        self.entries = tuple(entries)
        said = [(each, text) for each in range(len(entries)) for text in entries[each].says]
        unlike = [(each, text) for each in range(len(entries)) for text in entries[each].unlike]
        self._said = tuple(text for _, text in said)
        self._owners = np.array([owner for owner, _ in said], dtype=np.int64)
        self._starts = np.searchsorted(self._owners, np.arange(len(entries)))
        self._unlike_owners = np.array([owner for owner, _ in unlike], dtype=np.int64)
        texts = [text for _, text in (*said, *unlike)]
        self._vectors = np.stack([vector_of(text) for text in texts]) if texts else None
        self._kin = _kin(self.entries)
        self._rarity = Rarity(self._said)
        self._words = [
            frozenset(word for text in each.says for word in text.split()) for each in self.entries
        ]

    def nearest(self, said: str, vector: Vectors, age: int | None = None) -> list[Near]:
        """The nearest entries for somebody of this age, the nearest first. said: in the spelling
        of `wording`; vector: of `said`, shape (d,). How sure it is, `aligned` says."""
        if self._vectors is None or not said:
            return []
        cosines = self._vectors @ vector
        own, other = cosines[: len(self._said)], cosines[len(self._said) :]
        best = np.maximum.reduceat(own, self._starts)
        best[[not entry.suits(age) for entry in self.entries]] = -1.0
        unlike = np.full(len(self.entries), -1.0, dtype=np.float32)
        np.maximum.at(unlike, self._unlike_owners, other)
        order = np.argsort(-best)[: LOOKED_AT * 4]
        words = Counter(said.split())
        found = []
        for at in order[:LOOKED_AT]:
            rivals = (best[each] for each in order if each != at and each not in self._kin[at])
            found.append(self._near(int(at), said, words, own, unlike[at], next(rivals, -1.0)))
        return found

    def aligned(self, near: Near, said: str, own: TextVectors, other: TextVectors) -> Near:
        """The same, after a look at each token. own: of `said`; other: of `near.wording`."""
        cosines = own.tokens @ other.tokens.T
        if not cosines.size:
            return near
        forth, back = cosines.max(axis=1), cosines.max(axis=0)
        likeness = replace(
            near.likeness,
            aligned=float(np.average(forth, weights=self._token_weights(said, own))),
            aligned_back=float(np.average(back, weights=self._token_weights(near.wording, other))),
            least=float(forth.min()),
            least_back=float(back.min()),
        )
        return replace(near, likeness=likeness)

    def _token_weights(self, text: str, vectors: TextVectors) -> list[float]:
        """Those of the words that the tokens are parts of."""
        words = (text[text.rfind(" ", 0, start) + 1 :] for start, _ in vectors.spans)
        return [self._rarity.of(rest.partition(" ")[0]) for rest in words]

    def _near(
        self, at: int, said: str, words: Counter[str], own: Vectors, unlike: float, rival: float
    ) -> Near:
        entry, start = self.entries[at], int(self._starts[at])
        cosines = own[start : start + len(entry.says)]
        order = np.argsort(-cosines)[:_TRIED]
        ways = [turned(said, entry.says[each]) for each in order]
        # Of wordings that are about as near, the one that is not turned round.
        nearest = int(np.argmax(cosines[order] - _TURN * np.array([sum(each) for each in ways])))
        wording = entry.says[order[nearest]]
        denied, asked, speaker, listener = ways[nearest]
        likeness = Likeness(
            cosine=float(cosines[order[0]]),
            support=float(cosines[order[:3]].mean()),
            lead=float(cosines[order[0]] - rival),
            ahead_of_unlike=float(min(cosines[order[0]] - unlike, 0.5)),
            letters=dice(said, wording),
            uncovered=self._rarity.uncovered(words, self._words[at]),
            unsaid=self._rarity.uncovered(Counter(wording.split()), frozenset(words)),
            denied=denied,
            asked=asked,
            turned=speaker + listener,
            words=math.log(sum(words.values())),
        )
        return Near(self.entries[at], wording, likeness)


def _kin(entries: Sequence[Entry]) -> list[frozenset[int]]:
    """For each entry those which share a wording with it: two authors had the same in mind, and
    either may answer."""
    holders: dict[str, set[int]] = {}
    for at, entry in enumerate(entries):
        for said in entry.says:
            holders.setdefault(said, set()).add(at)
    kin: list[set[int]] = [set() for _ in entries]
    for together in holders.values():
        for at in together:
            kin[at] |= together
    return [frozenset(each) for each in kin]
