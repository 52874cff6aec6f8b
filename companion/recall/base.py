"""What all recall modes share: their dependencies, their query, and the searches.

`paper` searches by meaning alone. `hybrid` and `packed` search by meaning and by words, and fill a
block within a token budget (`BudgetRecall`).
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import apsw

from companion import language
from companion.clock import Clock
from companion.config import RetrievalSection
from companion.engines.protocols import Embedder
from companion.language.types import Question
from companion.recall.notes import Note
from companion.recall.protocol import EMPTY, RecallResult, TurnKey
from companion.store import memories, turn_index
from companion.store.database import Store
from companion.store.vectors import Vector

C = TypeVar("C")
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class Query:
    """The arguments of `Recalls.recall`."""

    text: str
    session: str | None
    shown: frozenset[TurnKey]
    previous: str | None
    asking: TurnKey | None

    @property
    def known(self) -> frozenset[TurnKey]:
        """Turns not to be recalled: those already in the prompt, and the question itself."""
        return self.shown if self.asking is None else self.shown | {self.asking}


class BaseRecall(ABC):
    """Recall over a store and an embedder."""

    def __init__(
        self, store: Store, embedder: Embedder, clock: Clock, section: RetrievalSection
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._section = section

    async def recall(
        self,
        query: str,
        *,
        session: str | None,
        shown: frozenset[TurnKey],
        previous: str | None,
        asking: TurnKey | None = None,
    ) -> RecallResult:
        """See `Recalls.recall`."""
        return await self._recalled(Query(query, session, shown, previous, asking))

    @abstractmethod
    async def _recalled(self, query: Query) -> RecallResult: ...


class BudgetRecall(BaseRecall):
    """By meaning and by words, over the whole log and all memories, within a budget of tokens."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        clock: Clock,
        section: RetrievalSection,
        count: Callable[[str], int],
    ) -> None:
        """count: returns the number of tokens of a text."""
        super().__init__(store, embedder, clock, section)
        self._count = count

    _depth: int
    """How many hits of each ranking by words are read."""

    async def _recalled(self, query: Query) -> RecallResult:
        asked = language.question.read(query.text, query.previous)
        if not self._looks(asked):
            return EMPTY
        [vector], worded = await asyncio.gather(  # each on its own thread
            self._embedder.embed([asked.text]),
            self._store.read(search_words, asked.words, self._depth),
        )
        return await self._filled(query, asked, vector, worded)

    @abstractmethod
    def _looks(self, asked: Question) -> bool:
        """Whether there is anything to search for, and room to show it."""

    @abstractmethod
    async def _filled(
        self, query: Query, asked: Question, vector: Vector, worded: Worded
    ) -> RecallResult:
        """Search and fill the block. vector: the embedding of the words to search for."""


class Block(Generic[C]):
    """Notes within a token budget, each with the candidate it was made from."""

    def __init__(self, count: Callable[[str], int], tokens: int) -> None:
        self._count = count
        self.left = tokens
        self.chosen: list[tuple[Note, C]] = []

    def add(self, note: Note, of: C) -> bool:
        """Add a note; False when it does not fit."""
        cost = self._count(note.line) + 1
        if cost > self.left:
            return False
        self.left -= cost
        self.chosen.append((note, of))
        return True


def result_of(notes: Sequence[tuple[Note, float]], used: Iterable[int]) -> RecallResult:
    """The result. notes: in the order of the block, each with its score. used: ids of the memories
    that the notes stand for."""
    return RecallResult(
        "\n".join(note.line for note, _ in notes),
        tuple(note.recalled(score) for note, score in notes),
        tuple(sorted(set(used))),
    )


@dataclass(frozen=True)
class Worded:
    """Hits of the search by words, best first, each score as a share of the best one. A hit may
    have been erased by the time it is read."""

    turns: dict[TurnKey, float]
    memories: dict[int, float]


def search_words(c: apsw.Connection, words: str, k: int) -> Worded:
    """The k best hits of each ranking by words (BM25)."""
    turns = turn_index.search_turns(c, words, k)
    return Worded(
        _shares(((session, number), score) for session, number, score in turns),
        _shares(memories.search(c, words, k)),
    )


@dataclass(frozen=True)
class Near:
    """Hits of the search by meaning, nearest first, each with its cosine."""

    turns: dict[TurnKey, float]
    """By the embedding of the whole turn."""

    queries: dict[TurnKey, float]
    """By the embedding of the person's words alone."""

    memories: dict[int, float]


def search_meaning(c: apsw.Connection, vector: Vector, k: int, embedder: str) -> Near:
    """The k nearest hits of each ranking. embedder: the name of the one that made `vector`."""

    def turns(of: turn_index.Side) -> dict[TurnKey, float]:
        found = turn_index.nearest_turns(c, vector, k, embedder=embedder, of=of)
        return {(session, number): cosine for session, number, cosine in found}

    return Near(
        turns("turn"), turns("query"), dict(memories.nearest(c, vector, k, embedder=embedder))
    )


def _shares(ranking: Iterable[tuple[K, float]]) -> dict[K, float]:
    """Each score as a share of the best one. ranking: best first."""
    scores = dict(ranking)
    best = max(scores.values(), default=0.0)
    return {key: score / best if best > 0 else 0.0 for key, score in scores.items()}
