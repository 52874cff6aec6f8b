"""Packed recall: single messages and memories, best first, as long as tokens are left.

`hybrid` shows a few whole turns, because a small model reads few notes well. With a larger
budget, or a larger model, more evidence fits when facts (short) and the messages they come from
(exact) compete for every token (`retrieval.fill: packed`).

The score of a text is its cosine plus a share of its BM25, which is scaled to the best of its
ranking. Then scores are shared: a message is raised by the best memory that cites it, and a memory
by the messages it cites. What the block already holds, as the message itself or as a memory of it,
is not shown again. Measured on labelled conversations: `docs/results.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

import apsw

from companion.language.types import Question
from companion.recall.base import Block, BudgetRecall, Query, Worded, result_of, search_meaning
from companion.recall.notes import Note, clipped, memory_note, message_note
from companion.recall.protocol import RecallResult, TurnKey
from companion.records import Memory, Role, Turn
from companion.store import history, memories, turn_index
from companion.store.vectors import Vector

POOL = 40
"""How many hits of each ranking are candidates."""

WORDED = 400
"""How many hits by words get a BM25 score: a text found by meaning needs its BM25 too, however
small."""

WORDS = 0.6
"""Weight of the best BM25 of a ranking, relative to a cosine of 1."""

LENT = 0.5
"""Share of a score that comes from the linked texts: for a message its memory, and vice versa."""

UNCITED = 0.6
"""When no memory cites a message, that part is this share of the message's own score."""

LEAST_LINE = 8
"""Tokens. With fewer left, no line fits."""

LEAST_DAY = 3
"""Words before the text of a line ("On some day"), each at least one token."""

MessageKey = tuple[str, int, Role]
"""Session, turn, role."""


@dataclass(frozen=True)
class Candidate:
    """A memory, or one message of a turn, that may be shown."""

    found: Memory | Turn
    score: float
    covers: frozenset[MessageKey]
    """The message itself, or the messages that the memory cites."""

    @property
    def text(self) -> str:
        """The text of its line before dates are added, which is the least that it needs."""
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


class PackedRecall(BudgetRecall):
    """Messages and memories, packed into the budget."""

    _depth = WORDED

    def _looks(self, asked: Question) -> bool:
        return bool(asked.words)

    async def _filled(
        self, query: Query, asked: Question, vector: Vector, worded: Worded
    ) -> RecallResult:
        name = self._embedder.name
        candidates = await self._store.read(_candidates, vector, worded, name, query.known)
        return self._pack(candidates, self._clock.wall())

    def _pack(self, candidates: Iterable[Candidate], now: datetime) -> RecallResult:
        """Fill the block, best first, while candidates fit; skip those that add nothing."""
        block = Block[Candidate](self._count, self._section.budget_tokens)
        covered: set[MessageKey] = set()
        for each in candidates:
            if block.left < LEAST_LINE:
                break
            if each.covers and each.covers <= covered:
                continue
            text = each.text
            if len(text.split()) + LEAST_DAY > block.left or self._count(text) > block.left:
                continue  # known without resolving its dates, the slowest part
            if block.add(each.note(now), each):
                covered |= each.covers
        chosen = block.chosen[::-1]  # the best one comes last, next to the question
        used = (each.found.id for _, each in chosen if isinstance(each.found, Memory))
        return result_of([(note, each.score) for note, each in chosen], used)


def _candidates(
    c: apsw.Connection,
    vector: Vector,
    worded: Worded,
    embedder: str,
    shown: frozenset[TurnKey],
) -> list[Candidate]:
    """Messages and memories, best first."""
    nearest = search_meaning(c, vector, POOL, embedder)
    keys = {*nearest.turns, *nearest.queries, *islice(worded.turns, POOL)}
    ids = {*nearest.memories, *islice(worded.memories, POOL)} | memories.citing(c, keys)
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
    # Memories first: where a memory and its message have the same score, the memory is shorter
    # (this order finds 0.81 of the evidence, the other way round 0.77).
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


def _cited(memory: Memory, turns: Mapping[TurnKey, Turn]) -> frozenset[MessageKey]:
    """The messages that a memory quotes, among turns that still exist."""
    cited: set[MessageKey] = set()
    for source in memory.sources:
        turn = turns.get((source.session, source.turn))
        if turn is None:
            continue
        of_reply = turn.reply is not None and source.quote in turn.reply.text
        of_user = turn.user is not None and (source.quote in turn.user.text or not of_reply)
        cited.add((source.session, source.turn, "user" if of_user else "assistant"))
    return frozenset(cited)
