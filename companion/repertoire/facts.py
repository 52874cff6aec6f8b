"""Questions about the world, answered with what people wrote and others checked.

A small model makes facts up, and a toy cannot look anything up. So the questions that children ask
most stand in facts/, a JSON line each: wordings, groups of words of each of which one has to be in
the question (`must`), questions that sound alike and are others (`not`), answers. The groups leave
a few candidates; how like the question is to their wordings decides, by a logistic regression that
`scripts/fit_facts.py` fits.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.engines.protocols import Embedder
from companion.errors import InputError
from companion.repertoire.alike import Rarity, dice, turned
from companion.repertoire.byte_vectors import Bytes
from companion.repertoire.limits import SAME
from companion.repertoire.packs import Entry
from companion.safety.wording import wording

SHIPPED = Path(__file__).with_name("facts")

VECTORS = SHIPPED / "vectors.npz"
"""Written by `scripts/build_repertoire.py`."""

_KEYS = ("asks", "must", "not", "says")

LOOKED_AT = 8
"""Candidates that are compared."""

MOST_MISSING = 1
"""Groups of which a candidate's question may lack a word, where there are more."""

MOST_WORDS = 40
"""Of a message."""

Floats = NDArray[np.float32]

Group = tuple[frozenset[str], ...]
"""Words of which one is needed, each of one or more that stand together."""


@dataclass(frozen=True)
class Fact:
    """One question about the world."""

    entry: Entry
    """Its wordings, what sounds like it, and its answers."""

    must: tuple[Group, ...]

    @property
    def words(self) -> frozenset[str]:
        """All that its wordings are made of. Not kept: of thousands it would take megabytes."""
        said = frozenset(word for text in self.entry.says for word in text.split())
        return said.union(*(each for group in self.must for each in group))

    def missing(self, words: frozenset[str]) -> int:
        """Of how many groups a question of these words has none."""
        return sum(not any(each <= words for each in group) for group in self.must)


def readings(words: str, name: str) -> list[str]:
    """A message in the spelling of `wording`: all of it, what of it asks, and its first and last
    clause that ask; the reason before or after them says what is asked about, and is no part of
    the question. name: the toy's own."""
    asks = language.question.asking(words) or words
    clauses = language.question.first_clause(asks), language.question.last_clause(asks)
    found = [wording(each, name) for each in (words, asks, *clauses)]
    return [each for each in dict.fromkeys(found) if each and len(each.split()) <= MOST_WORDS]


def read_file(path: Path) -> tuple[Fact, ...]:
    """Raises InputError: the file, the line, what is wrong."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text: save it as UTF-8") from None
    found: list[Fact] = []
    owners: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        where = f"{path}, line {number}"
        fact = _fact(where, f"{path.stem}/{number}", line)
        for said in fact.entry.says:
            if (other := owners.setdefault(said, number)) != number:
                raise InputError(f"{where}: line {other} has {said!r}, too: leave it to one")
        found.append(fact)
    return tuple(found)


def _fact(where: str, id: str, line: str) -> Fact:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not JSON: {error}") from None
    if not isinstance(found, dict) or sorted(found) != sorted(_KEYS):
        raise InputError(f"{where}: expected an object with {', '.join(_KEYS)}")
    asks, unlike = (_texts(where, key, found[key]) for key in ("asks", "not"))
    says, groups = _texts(where, "says", found["says"]), found["must"]
    if not asks or not says or not isinstance(groups, list) or not groups:
        raise InputError(f"{where}: asks, says and must each need something")
    must = tuple(
        tuple(frozenset(wording(word).split()) for word in _texts(where, "must", group))
        for group in groups
    )
    if not all(group and all(group) for group in must):
        raise InputError(f"{where}: each group of must needs words")
    spelled = tuple(dict.fromkeys(map(wording, asks)))
    entry = Entry(id, spelled, tuple(dict.fromkeys(map(wording, unlike))), says)
    return Fact(entry, must)


def _texts(where: str, key: str, found: Any) -> tuple[str, ...]:
    if not isinstance(found, list) or not all(
        isinstance(each, str) and each.strip() and each.isprintable() for each in found
    ):
        raise InputError(f"{where}: {key} must be a list of texts of one line")
    return tuple(each.strip() for each in found)


@dataclass(frozen=True)
class Likeness:
    """How like a question is to a fact's."""

    cosine: float
    """To the nearest of its wordings."""

    support: float
    """Mean cosine to all of them."""

    ahead: float
    """How much nearer it is to them than to what sounds alike, 0.5 at most."""

    lead: float
    """How much nearer it is than the next candidate, 0.5 at most."""

    letters: float
    """Runs of three letters that it shares with the wording that has most of them, 0 to 1."""

    uncovered: float
    """Share of its words, the rarer the heavier, that the fact does not know."""

    unsaid: float
    """Share of the nearest wording's words that it lacks."""

    denied: float
    """1: one of it and the nearest wording denies what the other says; else 0."""

    own: float
    """1: it speaks of its speaker, and none of the wordings does; else 0."""

    opens: float
    """1: it begins as one of the wordings does ("how many", "why"); else 0."""

    missing: float
    """Of how many groups of words it has none."""

    groups: float
    """How many groups there are."""

    words: float
    """Logarithm of its number of words."""

    left: float
    """Logarithm of how many times as long the whole message is."""

    @property
    def certainty(self) -> float:
        """0 to 1: how likely the answers are right."""
        if self.cosine >= SAME and not (self.missing or self.denied):
            return 1.0
        score = BIAS + sum(w * x for w, x in zip(WEIGHTS, astuple(self), strict=True))
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, score))))


WEIGHTS = (
    *(7.845, 8.54, 1.615, 3.925, -2.745),
    *(-3.075, 0.057, -0.971, -0.597, 1.549),
    *(-1.159, 0.292, 2.95, 1.838),
)
"""In the order of `Likeness`."""

BIAS = -18.486

SURE, SURER = 0.6, 0.9
"""Least certainty of an answer to what asks about the world, as far as can be told, and to all
else: what is told sounds much like what is asked."""


class Facts:
    """All that is known."""

    def __init__(self, facts: Sequence[Fact], vectors: Bytes) -> None:
        """vectors: of `texts(facts)`, in this order."""
        self.facts = tuple(facts)
        self._vectors = vectors
        sizes = [len(each.entry.says) + len(each.entry.unlike) for each in facts]
        self._starts = [0, *accumulate(sizes)]
        self._rarity = Rarity([text for each in facts for text in each.entry.says])
        self._by_word: dict[str, set[int]] = {}
        for at, fact in enumerate(facts):
            for word in {max(each, key=self._rarity.of) for group in fact.must for each in group}:
                self._by_word.setdefault(word, set()).add(at)

    def candidates(self, read: Sequence[str]) -> list[int]:
        """Which facts have what they need, first those that know most of the words, the rarer the
        heavier. read: see `readings`."""
        words = frozenset(word for each in read for word in each.split())
        ids = set().union(*(self._by_word.get(word, set()) for word in words))
        rare = {word: self._rarity.of(word) for word in words}
        fitting: list[tuple[float, int]] = []
        for at in ids:
            fact = self.facts[at]
            if (missing := fact.missing(words)) <= min(MOST_MISSING, len(fact.must) - 1):
                known = sum(rare[word] for word in words & fact.words)
                fitting.append((known / sum(rare.values()) - missing, at))
        return [at for _, at in sorted(fitting, reverse=True)[:LOOKED_AT]]

    async def likeliest(
        self, words: str, name: str, embedder: Embedder
    ) -> list[tuple[Fact, Likeness]]:
        """The candidates for a message, the likeliest first. name: the toy's own. Raises
        EngineError."""
        read = readings(words, name)
        found = self.candidates(read)
        if not found:
            return []
        own = await embedder.embed(read)
        rows = [self._row(at, read, own) for at in found]
        length = len(read[0].split())
        near = [(e.fact, self._likeness(e, [o for o in rows if o is not e], length)) for e in rows]
        return sorted(near, key=lambda each: -each[1].certainty)

    def _row(self, at: int, read: Sequence[str], own: Floats) -> _Row:
        fact, says = self.facts[at], len(self.facts[at].entry.says)
        cosines = own @ self._vectors.floats(self._starts[at], self._starts[at + 1]).T
        best = int(np.argmax(cosines[:, :says].mean(axis=1) + cosines[:, :says].max(axis=1)))
        missing = fact.missing(frozenset(word for each in read for word in each.split()))
        return _Row(fact, read[best], missing, cosines[best, :says], cosines[best, says:])

    def _likeness(self, row: _Row, rivals: Sequence[_Row], length: int) -> Likeness:
        words, says, cosines = Counter(row.read.split()), row.fact.entry.says, row.cosines
        ways = [turned(row.read, each) for each in says]
        nearest = max(range(len(says)), key=lambda at: cosines[at] - 0.05 * sum(ways[at]))
        opens = language.question.opens_with(row.read)
        best = float(cosines.max())
        rival = max((float(each.cosines.max()) for each in rivals), default=-1.0)
        return Likeness(
            cosine=best,
            support=float(np.mean(cosines)),
            ahead=min(best - float(row.unlike.max(initial=-1.0)), 0.5),
            lead=min(best - rival, 0.5),
            letters=max(dice(row.read, each) for each in says),
            uncovered=self._rarity.uncovered(words, row.fact.words),
            unsaid=self._rarity.uncovered(Counter(says[nearest].split()), frozenset(words)),
            denied=float(ways[nearest][0]),
            own=float(
                all(own for _, _, own, _ in ways) and language.similarity.stance(row.read)[2]
            ),
            opens=float(any(opens == language.question.opens_with(each) for each in says)),
            missing=float(row.missing),
            groups=float(len(row.fact.must)),
            words=math.log(sum(words.values())),
            left=math.log(length / sum(words.values())),
        )


@dataclass(frozen=True)
class _Row:
    """A candidate, the reading that is nearest to it, and how near."""

    fact: Fact
    read: str
    missing: int
    cosines: Floats
    unlike: Floats


def texts(facts: Sequence[Fact]) -> list[str]:
    """All of which vectors are needed, in order."""
    return [text for each in facts for text in (*each.entry.says, *each.entry.unlike)]


def read_folder(folder: Path) -> list[Fact]:
    """Raises InputError."""
    return [each for file in sorted(folder.glob("*.jsonl")) for each in read_file(file)]
