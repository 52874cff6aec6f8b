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
from collections.abc import Collection, Iterable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from companion import language
from companion.engines.protocols import Embedder
from companion.errors import InputError
from companion.repertoire.alike import Rarity, dice, turned
from companion.repertoire.packs import Entry
from companion.safety.wording import wording

SHIPPED = Path(__file__).with_name("facts")

KEYS = frozenset(("asks", "must", "not", "says"))

LOOKED_AT = 4
"""Candidates whose wordings are embedded: those that leave the fewest words over."""

MOST_WORDS = 18
"""Of a question."""

Group = tuple[frozenset[str], ...]
"""Words of which one is needed, each of one or more that stand together."""


@dataclass(frozen=True)
class Fact:
    """One question about the world."""

    entry: Entry
    """Its wordings, what sounds like it, and its answers."""

    must: tuple[Group, ...]

    words: frozenset[str]
    """All that its wordings are made of."""

    def may_be(self, words: Collection[str]) -> bool:
        """Whether a question of these words has one of each group."""
        return all(any(each <= set(words) for each in group) for group in self.must)


def asked(words: str, name: str) -> str:
    """What of a message asks, in the spelling of `wording`; all of it where nothing shows that it
    does. name: the toy's own."""
    return wording(language.question.asking(words) or words, name)


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
    if not isinstance(found, dict) or set(found) != KEYS:
        raise InputError(f"{where}: expected an object with {', '.join(sorted(KEYS))}")
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
    known = frozenset(word for text in spelled for word in text.split())
    return Fact(entry, must, known.union(*(word for group in must for word in group)))


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

    turned: float
    """In how many ways it is the nearest wording turned round: denied, told, of whom."""

    opens: float
    """1: it begins as one of the wordings does ("how many", "why"); else 0."""

    groups: float
    """How many groups of words were needed."""

    length: float
    """Logarithm of its number of words."""

    @property
    def certainty(self) -> float:
        """0 to 1: how likely the answers are right."""
        score = BIAS + sum(w * x for w, x in zip(WEIGHTS, astuple(self), strict=True))
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, score))))


WEIGHTS = (0.0,) * 11
"""In the order of `Likeness`."""

BIAS = 0.0

SURE = 0.9
"""Least certainty of an answer."""


class Facts:
    """All that is known."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.facts = tuple(facts)
        self._rarity = Rarity([text for each in facts for text in each.entry.says])
        self._by_word: dict[str, set[int]] = {}
        for at, each in enumerate(facts):
            for words in each.must[0]:
                self._by_word.setdefault(max(words, key=self._rarity.of), set()).add(at)

    def candidates(self, said: str) -> list[Fact]:
        """Those that have what they need, the fewest words left over first. said: in the spelling
        of `wording`."""
        words = said.split()
        ids = set().union(*(self._by_word.get(word, set()) for word in words))
        fitting = [self.facts[at] for at in sorted(ids) if self.facts[at].may_be(words)]
        counts = Counter(words)
        over = {id(each): self._rarity.uncovered(counts, each.words) for each in fitting}
        return sorted(fitting, key=lambda each: over[id(each)])[:LOOKED_AT]

    async def likeliest(self, said: str, embedder: Embedder) -> list[tuple[Fact, Likeness]]:
        """The candidates, the likeliest first. Raises EngineError."""
        found = self.candidates(said)
        if not found or len(said.split()) > MOST_WORDS:
            return []
        texts = [said, *(text for each in found for text in (*each.entry.says, *each.entry.unlike))]
        own, *others = await embedder.embed(texts)
        cosines = iter([float(each @ own) for each in others])
        near = [
            ([next(cosines) for _ in each.entry.says], [next(cosines) for _ in each.entry.unlike])
            for each in found
        ]
        best = [max(says) for says, _ in near]
        rows = []
        for at, (fact, (says, unlike)) in enumerate(zip(found, near, strict=True)):
            rival = max((best[i] for i in range(len(found)) if i != at), default=-1.0)
            ahead, lead = best[at] - max(unlike, default=-1.0), best[at] - rival
            rows.append((fact, self._likeness(said, fact, says, min(ahead, 0.5), min(lead, 0.5))))
        return sorted(rows, key=lambda row: -row[1].certainty)

    def _likeness(
        self, said: str, fact: Fact, cosines: Sequence[float], ahead: float, lead: float
    ) -> Likeness:
        words, says = Counter(said.split()), fact.entry.says
        ways = [sum(turned(said, each)) for each in says]
        nearest = max(range(len(says)), key=lambda at: cosines[at] - 0.05 * ways[at])
        opens = language.question.opens_with(said)
        return Likeness(
            cosine=max(cosines),
            support=float(np.mean(cosines)),
            ahead=ahead,
            lead=lead,
            letters=max(dice(said, each) for each in says),
            uncovered=self._rarity.uncovered(words, fact.words),
            unsaid=self._rarity.uncovered(Counter(says[nearest].split()), frozenset(words)),
            turned=float(ways[nearest]),
            opens=float(any(opens == language.question.opens_with(each) for each in says)),
            groups=float(len(fact.must)),
            length=math.log(sum(words.values())),
        )


def shipped(folder: Path = SHIPPED) -> Facts:
    """Raises InputError."""
    return Facts(list(_all(sorted(folder.glob("*.jsonl")))))


def _all(files: Iterable[Path]) -> Iterable[Fact]:
    for file in files:
        yield from read_file(file)
