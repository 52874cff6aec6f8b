"""Hybrid recall: the few past turns and memories that fit what was just said, in a short block.

Two modes (`retrieval.mode`): `hybrid`, here and in `packed`, and `paper`, the baseline.

Hybrid recall ranks past turns by four lists, fused by reciprocal rank: words (BM25), meaning of
the whole turn, meaning of the person's words alone, and the turns that matching memories cite
(facts are keys, turns are values). Days that the question names come first. A turn is shown by
the side that was asked for: what the person said, or what the companion said. A memory itself is
shown when its turns are gone, or when they say little without their context ("Mittens.").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import apsw

from companion import language
from companion.config import RetrievalSection
from companion.language.types import DateSpan, Question
from companion.recall.base import Block, BudgetRecall, Query, Worded, result_of, search_meaning
from companion.recall.days import days_named, remembered_of, told_of
from companion.recall.notes import NOTHING_FITS, Note, memory_note, silent_days, turn_note
from companion.recall.protocol import RecallResult, TurnKey
from companion.recall.rank_fusion import OFFSET, fuse
from companion.records import Memory, Turn
from companion.store import history, memories
from companion.store.vectors import Vector

POOL = 30
"""How many hits of each ranking are read."""

FEW_WORDS = 6
"""A turn of fewer words is an answer to something, and its memory says more than the turn does."""


FACT_WEIGHT = 0.25
"""Weight of a fact's rank for the turn it cites, relative to the turn's own ranks. On 25 questions
with facts drafted by a 1.5B model, the four notes held the answer to 25 at weights 0 and 0.25, to
24 at 0.5 and to 23 at 1: many weak facts displace good turns, and yet a fact can lead to a turn
that nothing else finds."""


@dataclass(frozen=True)
class Candidate:
    """A turn or memory that may be shown."""

    found: Turn | Memory
    score: float
    memories: tuple[int, ...]
    """Memories that it stands for."""


@dataclass(frozen=True)
class Found:
    """What was found in the store."""

    candidates: list[Candidate]
    """Best first."""

    silent: list[DateSpan]
    """Past days that the question names and of which nothing is known. Saying so keeps a small
    model from answering with the events of another day."""

    in_talk: bool = False
    """Whether something that fits is already in the prompt, so that it would be untrue to say that
    nothing was found."""


NOTHING = RecallResult(NOTHING_FITS, ())


class Recall(BudgetRecall):
    """Shows a few whole turns, and memories where turns say little."""

    _depth = POOL

    def _looks(self, asked: Question) -> bool:
        return bool(asked.words or asked.about_past) and bool(
            self._room(asked) and self._section.budget_tokens
        )

    def _room(self, asked: Question) -> int:
        """The most notes."""
        return self._section.turns if asked.asks else self._section.passing

    async def _filled(
        self, query: Query, asked: Question, vector: Vector, worded: Worded
    ) -> RecallResult:
        now = self._clock.wall()
        name = self._embedder.name
        found = await self._store.read(
            _candidates, asked, vector, worded, name, now, query, self._section
        )
        if found.silent:
            return RecallResult("\n".join(silent_days(span) for span in found.silent), ())
        result = self._choose(found.candidates, asked, now)
        nothing = asked.about_past and not result.block and not found.in_talk
        return NOTHING if nothing else result

    def _choose(
        self, candidates: Iterable[Candidate], asked: Question, now: datetime
    ) -> RecallResult:
        """The best candidates that fit the budget, in the order in which they are shown."""
        room = self._room(asked)
        block = Block[Candidate](self._count, self._section.budget_tokens)
        for candidate in candidates:
            if len(block.chosen) == room:
                break
            note = _note(candidate.found, asked, now)
            if note is not None:
                block.add(note, candidate)
        chosen = _in_order(block.chosen)
        used = (id for _, each in chosen for id in each.memories)
        return result_of([(note, each.score) for note, each in chosen], used)


def _in_order(chosen: list[tuple[Note, Candidate]]) -> list[tuple[Note, Candidate]]:
    """Reorder notes that are given best first: grouped by session, the session with the best note
    last, where a small model looks first, and within a session in the order in which they were
    said. "I have a problem" fits many questions best, but says nothing without what followed it:
    of 56 questions a 1.5B model answered 44 with the best note last, and 50 with this order."""
    best: dict[str, int] = {}
    for rank, (note, _) in enumerate(chosen):
        best.setdefault(note.talk, rank)
    return sorted(chosen, key=lambda each: (-best[each[0].talk], each[0].number))


def _note(found: Turn | Memory, asked: Question, now: datetime) -> Note | None:
    if isinstance(found, Turn):
        return turn_note(found, asked.side, questions=asked.of_asking)
    return memory_note(found, now)


def _candidates(
    c: apsw.Connection,
    asked: Question,
    vector: Vector,
    worded: Worded,
    embedder: str,
    now: datetime,
    query: Query,
    section: RetrievalSection,
) -> Found:
    """The candidates, best first."""
    nearest = search_meaning(c, vector, POOL, embedder)
    facts = fuse([nearest.memories, worded.memories])
    cited, loose = _by_source(c, list(facts)[: section.memories], query.shown)
    keys = fuse([nearest.turns, nearest.queries, worded.turns])
    for rank, key in enumerate(cited, start=1):
        keys[key] = keys.get(key, 0.0) + FACT_WEIGHT / (OFFSET + rank)
    days = days_named(c, asked.text, now)
    told = told_of(c, days, list(keys), POOL)
    if query.asking is not None:  # The question is stored before the search runs.
        keys.pop(query.asking, None)
        told.pop(query.asking, None)
    for key, weight in told.items():
        keys[key] = keys.get(key, 0.0) + weight
    if any(told[key] >= 1 for key in told):
        keys = {key: keys[key] for key in told}  # a day was named: others mislead
    silent = [span for span in days if span.start == span.end < now.date()]
    of_days = remembered_of(c, silent)
    if silent and not told and not of_days and asked.about_past:
        return Found([], silent)
    nearness = dict(nearest.turns)
    for key, cosine in nearest.queries.items():
        nearness[key] = max(cosine, nearness.get(key, 0.0))

    def fits(cosine: float, learnt: Iterable[Memory]) -> bool:
        cosines = [cosine, *(nearest.memories.get(memory.id, 0.0) for memory in learnt)]
        least = section.s_question if asked.asks else section.s_passing
        return asked.about_past or max(cosines) >= least

    best = sorted((key for key in keys if key not in query.shown), key=lambda key: -keys[key])
    best = [key for key in best if fits(nearness.get(key, 0.0), cited.get(key, ()))][:POOL]
    turns = history.turns_named(c, best)
    chosen: list[Candidate] = []
    for key in (each for each in best if each in turns):
        chosen += _as_shown(turns[key], keys[key], cited.get(key, ()))
        if len(chosen) >= POOL:
            break
    for memory in loose:
        if fits(0.0, [memory]):
            # A memory occurs in two rankings, a turn in four.
            chosen.append(Candidate(memory, 2 * facts[memory.id], (memory.id,)))
    known = {memory.id for memory in loose}
    for memory in _by_source(c, [id for id in of_days if id not in known], query.shown)[1]:
        # The day decides, as for turns: memories are all that is left once turns have expired.
        chosen.append(Candidate(memory, 1 + facts.get(memory.id, 0.0), (memory.id,)))
    # Not by meaning: questions are close to each other whatever they ask, and answer nothing.
    fitting = (query.shown & {*told, *worded.turns}) - {query.asking}
    in_talk = any(
        turn.user is not None and not language.question.asking(turn.user.text)
        for turn in history.turns_named(c, fitting).values()
    )
    return Found(sorted(chosen, key=lambda each: -each.score), [], in_talk)


def _by_source(
    c: apsw.Connection, ids: list[int], shown: frozenset[TurnKey]
) -> tuple[dict[TurnKey, list[Memory]], list[Memory]]:
    """Memories grouped by the cited turns that still exist, and the memories with none left."""
    known = memories.get_all(c, ids)
    keys = {(source.session, source.turn) for each in known.values() for source in each.sources}
    standing = shown | history.turns_named(c, keys).keys()
    cited: dict[TurnKey, list[Memory]] = {}
    loose: list[Memory] = []
    for memory in (known[id] for id in ids if id in known):
        stands = [
            key for source in memory.sources if (key := (source.session, source.turn)) in standing
        ]
        for key in stands:
            cited.setdefault(key, []).append(memory)
        if not stands:
            loose.append(memory)
    return cited, loose


def _as_shown(turn: Turn, score: float, stands_for: Sequence[Memory]) -> list[Candidate]:
    """The turn itself, or the memories made from it where its own words say little."""
    said = turn.user.text if turn.user else ""
    if stands_for and len(said.split()) < FEW_WORDS:
        return [Candidate(memory, score, (memory.id,)) for memory in stands_for]
    return [Candidate(turn, score, tuple(memory.id for memory in stands_for))]
