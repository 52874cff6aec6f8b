"""Recall that packs its budget: single messages and memories, best first, while tokens are left.

`recall` shows a few whole turns, because a small model reads few notes well. With a larger
budget, or a larger model, more evidence fits when facts (short) and the messages they come from
(exact) compete for every token (`retrieval.fill: packed`).

The score of a text is its cosine plus a share of its BM25, scaled to the best of the ranking.
Then each lends to the other: a message is lifted by the best memory that cites it, a memory by
the messages it cites. What is in the block already, as itself or as a memory of it, is not shown
again. Measured on labelled conversations: `docs/results.md`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import TypeVar

import apsw

from companion.clock import Clock
from companion.config import RetrievalSection
from companion.dialog import question
from companion.dialog.notes import Note, clipped, memory_note, message_note
from companion.dialog.recall_protocol import EMPTY, RecallResult, TurnKey
from companion.engines.protocols import Embedder
from companion.records import Memory, Role, Turn
from companion.store import history, memories, turn_index
from companion.store.database import Store
from companion.store.vectors import Vector

POOL = 40
"""How many of each ranking are looked at."""

WORDED = 400
"""How many by words are scored: what meaning finds needs its BM25, too, however small."""

WORDS = 0.6
"""What the best BM25 of a ranking counts beside a cosine of 1."""

LENT = 0.5
"""Share of a score that comes from the other side: memory to message, message to memory."""

UNCITED = 0.6
"""Share of its own score that a message keeps for that part when no memory cites it."""

LEAST_LINE = 8
"""Tokens: with fewer left, no line fits."""

LEAST_DAY = 3
"""Words before the text of a line, each a token or more: "On some day"."""

_POSSESSIVE = re.compile(r"['’]s\b")

K = TypeVar("K", bound=Hashable)
MessageKey = tuple[str, int, Role]
"""Session, turn, role."""


@dataclass(frozen=True)
class Candidate:
    """A memory, or one message of a turn, that may be shown."""

    found: Memory | Turn
    score: float
    covers: frozenset[MessageKey]
    """The message itself, or those that a memory cites."""

    @property
    def text(self) -> str:
        """What its line says at least, before dates are put in."""
        if isinstance(self.found, Memory):
            return self.found.text
        [(_, _, role)] = self.covers
        message = self.found.user if role == "user" else self.found.reply
        return clipped(message.text) if message is not None else ""

    def note(self, now: datetime) -> Note:
        if isinstance(self.found, Memory):
            return memory_note(self.found, now)
        [(_, _, role)] = self.covers
        return message_note(self.found, role)


class PackedRecall:
    """Messages and memories, packed into the budget."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        clock: Clock,
        section: RetrievalSection,
        count: Callable[[str], int],
    ) -> None:
        """`count` gives the tokens of a text."""
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._section = section
        self._count = count

    async def recall(
        self,
        query: str,
        *,
        session: str | None,
        shown: frozenset[TurnKey],
        previous: str | None,
        asking: TurnKey | None = None,
    ) -> RecallResult:
        """As `Recalls` has it; `session` is not used."""
        asked = question.read(query, previous)
        if not asked.words:
            return EMPTY
        words = _POSSESSIVE.sub("", asked.words)
        [vector], worded = await asyncio.gather(  # on a thread each
            self._embedder.embed([asked.text]), self._store.read(_worded, words)
        )
        known = shown if asking is None else shown | {asking}
        name = self._embedder.name
        candidates = await self._store.read(_candidates, vector, worded, name, known)
        return self._pack(candidates, self._clock.wall())

    def _pack(self, candidates: Iterable[Candidate], now: datetime) -> RecallResult:
        """Best first while they fit; what adds nothing is passed over."""
        chosen: list[tuple[Note, Candidate]] = []
        covered: set[MessageKey] = set()
        left = self._section.budget_tokens
        for each in candidates:
            if left < LEAST_LINE:
                break
            if each.covers and each.covers <= covered:
                continue
            text = each.text
            if len(text.split()) + LEAST_DAY > left or self._count(text) > left:
                continue  # seen without its dates being read, which takes the longest
            note = each.note(now)
            cost = self._count(note.line) + 1
            if cost <= left:
                left -= cost
                covered |= each.covers
                chosen.append((note, each))
        chosen.reverse()  # the best stands next to the question
        return RecallResult(
            "\n".join(note.line for note, _ in chosen),
            tuple(note.recalled(each.score) for note, each in chosen),
            tuple(sorted(each.found.id for _, each in chosen if isinstance(each.found, Memory))),
        )


@dataclass(frozen=True)
class Worded:
    """What holds the words, best first, with shares of the best. It may be gone when it is
    looked at."""

    turns: dict[TurnKey, float]
    memories: dict[int, float]


def _worded(c: apsw.Connection, words: str) -> Worded:
    turns = turn_index.search_turns(c, words, WORDED)
    return Worded(
        _shares(((session, number), score) for session, number, score in turns),
        _shares(memories.search(c, words, WORDED)),
    )


def _candidates(
    c: apsw.Connection,
    vector: Vector,
    worded: Worded,
    embedder: str,
    shown: frozenset[TurnKey],
) -> list[Candidate]:
    """Messages and memories, best first."""
    near = {id for id, _ in memories.nearest(c, vector, POOL, embedder=embedder)}
    keys = {
        (session, number)
        for of in ("turn", "query")
        for session, number, _ in turn_index.nearest_turns(
            c, vector, POOL, embedder=embedder, of=of
        )
    }
    keys |= set(islice(worded.turns, POOL))
    ids = near | set(islice(worded.memories, POOL)) | memories.citing(c, keys)
    known = memories.get_all(c, ids)
    keys |= {(source.session, source.turn) for each in known.values() for source in each.sources}
    turns = history.turns_named(c, keys)

    fact_near = memories.similarity(c, known, vector, embedder=embedder)
    facts = {id: fact_near.get(id, 0.0) + WORDS * worded.memories.get(id, 0.0) for id in known}
    whole = turn_index.similarity(c, turns, vector, embedder=embedder)
    said = turn_index.similarity(c, turns, vector, embedder=embedder, of="query")
    messages: dict[MessageKey, float] = {}
    for key, turn in turns.items():
        of_words = WORDS * worded.turns.get(key, 0.0)
        if turn.user is not None:
            best = max(whole.get(key, 0.0), said.get(key, 0.0))
            messages[key[0], key[1], "user"] = best + of_words
        if turn.reply is not None:
            messages[key[0], key[1], "assistant"] = whole.get(key, 0.0) + of_words

    cites = {id: _cited(memory, turns) for id, memory in known.items()}
    lent: dict[MessageKey, float] = {}
    for id, quoted in cites.items():
        for message in quoted:
            lent[message] = max(lent.get(message, 0.0), facts[id])
    # Memories first: where a memory and its message lend each other the same score, the memory
    # is shorter (0.77 of the evidence was found the other way round, in place of 0.81).
    found = []
    for id, memory in known.items():
        borrowed = max((messages.get(cited, 0.0) for cited in cites[id]), default=facts[id])
        score = (1 - LENT) * facts[id] + LENT * borrowed
        found.append(Candidate(memory, score, cites[id]))
    for each, own in messages.items():
        score = (1 - LENT) * own + LENT * lent.get(each, UNCITED * own)
        found.append(Candidate(turns[each[:2]], score, frozenset({each})))
    fresh = [one for one in found if not one.covers or not _in(shown, one.covers)]
    return sorted(fresh, key=lambda one: -one.score)


def _in(shown: frozenset[TurnKey], covers: frozenset[MessageKey]) -> bool:
    return all(message[:2] in shown for message in covers)


def _shares(ranking: Iterable[tuple[K, float]]) -> dict[K, float]:
    """Each score as a share of the best; a ranking comes best first."""
    scores = dict(ranking)
    best = max(scores.values(), default=0.0)
    return {key: score / best for key, score in scores.items()} if best > 0 else {}


def _cited(memory: Memory, turns: Mapping[TurnKey, Turn]) -> frozenset[MessageKey]:
    """The messages that a memory quotes, among turns that still stand."""
    cited: set[MessageKey] = set()
    for source in memory.sources:
        turn = turns.get((source.session, source.turn))
        if turn is None:
            continue
        of_reply = turn.reply is not None and source.quote in turn.reply.text
        of_user = turn.user is not None and (source.quote in turn.user.text or not of_reply)
        cited.add((source.session, source.turn, "user" if of_user else "assistant"))
    return frozenset(cited)
