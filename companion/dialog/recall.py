"""Recall: the few past turns and memories that fit what was just said, as one short block.

Two modes (`retrieval.mode`): `hybrid`, here, and `paper` (`recall_paper`), the baseline.

Hybrid recall ranks past turns by four lists, fused by reciprocal rank: words (BM25), meaning of
the whole turn, meaning of the person's words alone, and the turns that matching memories cite
(facts are keys, turns are values). Days that the question names come first. A turn is shown by
the side that was asked for: what the person said, or what the companion said. A memory is shown
itself when its turns are gone, or say little without what stood before them ("Mittens.").
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import apsw

from companion.clock import Clock
from companion.config import RetrievalSection
from companion.dates import DateSpan
from companion.dialog import question
from companion.dialog.notes import NOTHING_FITS, Note, memory_note, silent_days, turn_note
from companion.dialog.recall_days import days_named, remembered_of, told_of
from companion.dialog.recall_protocol import EMPTY, RecallResult, TurnKey
from companion.engines.protocols import Embedder
from companion.ranking import OFFSET, fuse
from companion.records import Memory, Turn
from companion.store import history, memories, turn_index
from companion.store.database import Store
from companion.store.vectors import Vector

POOL = 30
"""How deep each ranking is read."""

FEW_WORDS = 6
"""A turn of fewer words is an answer to something: its memory says more than it does."""


FACT_WEIGHT = 0.25
"""What a fact's rank adds to the turn it cites, as a share of a turn's own. On 25 questions with
facts by a 1.5B, four notes held the answer in 25 at 0 and 0.25, 24 at 0.5, 23 at 1: many weak facts
displace good turns, and yet a fact can lead to a turn that nothing else finds."""


@dataclass(frozen=True)
class Candidate:
    """A turn or memory that may be shown."""

    found: Turn | Memory
    score: float
    memories: tuple[int, ...]
    """Memories that this stands for."""


@dataclass(frozen=True)
class Found:
    """What the store holds that fits."""

    candidates: list[Candidate]
    """Best first."""

    silent: list[DateSpan]
    """Past days that the question names, of which nothing is known: to say so keeps a small
    model from answering with another day's doings."""

    in_talk: bool = False
    """What fits stands in the prompt anyway: to say that nothing does would be untrue."""


NOTHING = RecallResult(NOTHING_FITS, ())


class Recall:
    """Hybrid recall over the whole log and all memories."""

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
        """As `Recalls` has it; `session` is not used: all are searched."""
        asked = question.read(query, previous)
        room = self._section.turns if asked.about_past else self._section.passing
        if not (asked.words or asked.about_past) or not (room and self._section.budget_tokens):
            return EMPTY
        now = self._clock.wall()
        [vector], worded = await asyncio.gather(  # on a thread each
            self._embedder.embed([asked.text]), self._store.read(_worded, asked.words)
        )
        name = self._embedder.name
        found = await self._store.read(
            _candidates, asked, vector, worded, name, now, shown, asking, self._section
        )
        if found.silent:
            return RecallResult("\n".join(silent_days(span) for span in found.silent), ())
        result = self._choose(found.candidates, asked, now, room)
        nothing = asked.about_past and not result.block and not found.in_talk
        return NOTHING if nothing else result

    def _choose(
        self, candidates: Iterable[Candidate], asked: question.Question, now: datetime, room: int
    ) -> RecallResult:
        """The best candidates that fit the budget, at most `room`."""
        chosen: list[tuple[Note, Candidate]] = []
        left = self._section.budget_tokens
        for candidate in candidates:
            if len(chosen) == room:
                break
            note = _note(candidate.found, asked, now)
            if note is None:
                continue
            cost = self._count(note.line) + 1
            if cost <= left:
                left -= cost
                chosen.append((note, candidate))
        chosen = _in_order(chosen)
        return RecallResult(
            "\n".join(note.line for note, _ in chosen),
            tuple(note.recalled(each.score) for note, each in chosen),
            tuple(sorted({id for _, each in chosen for id in each.memories})),
        )


def _in_order(chosen: list[tuple[Note, Candidate]]) -> list[tuple[Note, Candidate]]:
    """Given best first: talk by talk, the one with the best note last, where a small model looks
    first; within a talk as it was said. "I have a problem" fits many questions best, and says
    nothing without what came after it: of 56 questions a 1.5B answered 44 with the best note
    last, and 50 so."""
    best: dict[str, int] = {}
    for rank, (note, _) in enumerate(chosen):
        best.setdefault(note.talk, rank)
    return sorted(chosen, key=lambda each: (-best[each[0].talk], each[0].number))


def _note(found: Turn | Memory, asked: question.Question, now: datetime) -> Note | None:
    if isinstance(found, Turn):
        return turn_note(found, asked.side, questions=asked.of_asking)
    return memory_note(found, now)


@dataclass(frozen=True)
class Worded:
    """What holds the words, best first. It may be gone when it is looked at."""

    turns: list[TurnKey]
    memories: list[int]


def _worded(c: apsw.Connection, words: str) -> Worded:
    turns = turn_index.search_turns(c, words, POOL)
    known = memories.search(c, words, POOL)
    return Worded([(session, number) for session, number, _ in turns], [id for id, _ in known])


def _candidates(
    c: apsw.Connection,
    asked: question.Question,
    vector: Vector,
    worded: Worded,
    embedder: str,
    now: datetime,
    shown: frozenset[TurnKey],
    asking: TurnKey | None,
    section: RetrievalSection,
) -> Found:
    """What may be shown, best first."""
    by_turn = turn_index.nearest_turns(c, vector, POOL, embedder=embedder)
    by_query = turn_index.nearest_turns(c, vector, POOL, embedder=embedder, of="query")
    near_memories = memories.nearest(c, vector, POOL, embedder=embedder)

    facts = fuse([[id for id, _ in near_memories], worded.memories])
    cited, loose = _by_source(c, list(facts)[: section.memories], shown)
    keys = fuse(
        [
            *([(session, number) for session, number, _ in r] for r in (by_turn, by_query)),
            worded.turns,
        ]
    )
    for rank, key in enumerate(cited, start=1):
        keys[key] = keys.get(key, 0.0) + FACT_WEIGHT / (OFFSET + rank)
    days = days_named(c, asked.text, now)
    told = told_of(c, days, list(keys), POOL)
    if asking is not None:  # The words are stored before they are looked for.
        keys.pop(asking, None)
        told.pop(asking, None)
    for key, weight in told.items():
        keys[key] = keys.get(key, 0.0) + weight
    if any(told[key] >= 1 for key in told):
        keys = {key: keys[key] for key in told}  # a day was named: others mislead
    silent = [span for span in days if span.start == span.end < now.date()]
    of_days = remembered_of(c, silent)
    if silent and not told and not of_days and asked.about_past:
        return Found([], silent)
    nearness = {(s, n): cosine for s, n, cosine in by_turn}
    for session, number, cosine in by_query:
        nearness[session, number] = max(cosine, nearness.get((session, number), 0.0))
    similarity = dict(near_memories)

    def fits(cosine: float, learnt: Iterable[Memory]) -> bool:
        cosines = [cosine, *(similarity.get(memory.id, 0.0) for memory in learnt)]
        return asked.about_past or max(cosines) >= section.s_passing

    best = sorted((key for key in keys if key not in shown), key=lambda key: -keys[key])
    best = [key for key in best if fits(nearness.get(key, 0.0), cited.get(key, ()))][:POOL]
    turns = history.turns_named(c, best)
    chosen: list[Candidate] = []
    for key in (each for each in best if each in turns):
        chosen += _as_shown(turns[key], keys[key], cited.get(key, ()))
        if len(chosen) >= POOL:
            break
    for memory in loose:
        if fits(0.0, [memory]):
            # Two rankings speak for a memory, four for a turn.
            chosen.append(Candidate(memory, 2 * facts[memory.id], (memory.id,)))
    known = {memory.id for memory in loose}
    for memory in _by_source(c, [id for id in of_days if id not in known], shown)[1]:
        # The day decides, as it does for a turn: this is what is left when turns have expired.
        chosen.append(Candidate(memory, 1 + facts.get(memory.id, 0.0), (memory.id,)))
    # Not by meaning: questions are near to each other, whatever they ask. One is no answer, either.
    fitting = (shown & {*told, *worded.turns}) - {asking}
    in_talk = any(
        turn.user is not None and not question.asking(turn.user.text)
        for turn in history.turns_named(c, fitting).values()
    )
    return Found(sorted(chosen, key=lambda each: -each.score), [], in_talk)


def _by_source(
    c: apsw.Connection, ids: list[int], shown: frozenset[TurnKey]
) -> tuple[dict[TurnKey, list[Memory]], list[Memory]]:
    """Memories by the turns they cite that still exist, and those with none left."""
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
    """The turn itself, or what was learnt from it where its own words say little."""
    said = turn.user.text if turn.user else ""
    if stands_for and len(said.split()) < FEW_WORDS:
        return [Candidate(memory, score, (memory.id,)) for memory in stands_for]
    return [Candidate(turn, score, tuple(memory.id for memory in stands_for))]
