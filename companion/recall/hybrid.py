"""Hybrid recall: the past messages and memories that fit what was just said, in a short block.

What is compared, and how, stands in `candidates`. Days that the question names come first. Lines
are taken, best first, while they fit into the budget; what a line shows already, as the message
itself or as a memory of it, is not shown again. A message is shown by the side that was asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

import apsw

from companion import language
from companion.clock import Clock
from companion.config import RetrievalSection
from companion.engines.protocols import Embedder, TextVectors
from companion.language.types import DateSpan, Question
from companion.recall.candidates import POOL, Candidate, MessageKey, Ranking
from companion.recall.days import days_named, remembered_of, told_of
from companion.recall.newer import newer_first
from companion.recall.notes import (
    NOTHING_FITS,
    Note,
    body,
    clipped,
    memory_note,
    message_note,
    said_in,
    sayable,
    silent_days,
    told_when,
)
from companion.recall.order import in_order
from companion.recall.protocol import EMPTY, Excerpt, Query, RecallResult
from companion.recall.search import Near, Worded, search_meaning, search_words
from companion.records import Memory
from companion.store import history
from companion.store.database import Store

WORDED = 400
"""How many hits by words get a BM25 score: a text found by meaning needs its BM25 too, however
small."""

LEAST_LINE = 12
"""Tokens. With fewer left, no line fits."""

LEAST_DAY = 3
"""Words before the text of a line ("On some day"), each at least one token."""

DAY = 16
"""Tokens that a day, its distance and the speaker take in most lines."""

TOKENS_A_WORD = 1.4
"""Most, in ordinary talk: what is left of the budget is so many words."""

LEAST_PART = 12
"""Words. A shorter part of a message that does not fit as a whole says too little."""

NOTHING = RecallResult(NOTHING_FITS, ())


@dataclass(frozen=True)
class Found:
    """What was found in the store."""

    candidates: list[Candidate]
    """Best first."""

    silent: tuple[DateSpan, ...] = ()
    """Past days that the question names and of which nothing is known. Saying so keeps a small
    model from answering with the events of another day."""

    in_talk: bool = False
    """Whether something that fits is already in the prompt, so that it would be untrue to say that
    nothing was found."""


class Recall:
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
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._section = section
        self._count = count

    async def recall(self, query: Query) -> RecallResult:
        """See `Recalls.recall`."""
        asked = language.question.read(query.text, query.previous)
        if query.of_memory:
            asked = replace(asked, asks=True, about_past=True)
        if not (self._section.budget_tokens and (asked.content or asked.about_past)):
            return EMPTY
        [read], worded = await asyncio.gather(  # each on its own thread
            self._embedder.embed_tokens([asked.text]),
            self._store.read(search_words, " ".join(asked.words), WORDED),
        )
        now = self._clock.wall()
        found = await self._store.read(self._find, query, asked, read, worded, now)
        if found.silent:
            return RecallResult("\n".join(silent_days(span) for span in found.silent), ())
        budget = self._section.budget_tokens
        if query.of_memory:
            budget = max(budget, self._section.asked_tokens)
        result = self._pack(found.candidates, query, asked, now, budget)
        nothing = asked.about_past and not result.block and not found.in_talk
        return NOTHING if nothing else result

    def _find(
        self,
        c: apsw.Connection,
        query: Query,
        asked: Question,
        read: TextVectors,
        worded: Worded,
        now: datetime,
    ) -> Found:
        near = search_meaning(c, read.vector, POOL, self._embedder.name)
        ranking = Ranking(c, asked, read, near, worded, self._embedder.name)
        pool = ranking.turns()
        days = days_named(c, asked.text, now)
        told = told_of(c, days, pool)
        if query.asking is not None:  # The question is stored before the search runs.
            told.pop(query.asking, None)
        silent = tuple(span for span in days if span.start == span.end < now.date())
        of_days = remembered_of(c, silent)
        if silent and not told and not of_days and asked.about_past:
            return Found([], silent)
        of_one_day = any(weight >= 1 for weight in told.values())
        keys = told.keys() if of_one_day else told.keys() | set(pool)
        ids = {*near.memories, *islice(worded.memories, POOL), *of_days}
        best = ranking.candidates(keys, ids, query.known)
        best = [each for each in best if self._fits(each, asked, near)]
        if not language.question.of_what_was(asked.text):
            best = newer_first(best)
        if told or of_days:
            best = _by_day(best, told, of_days, of_one_day)
        return Found(best, in_talk=_in_talk(c, query, {*told, *worded.turns}))

    def _fits(self, each: Candidate, asked: Question, near: Near) -> bool:
        """Whether it is shown at all: by its side, and as near to the words as they ask for."""
        wanted = {"person": ("user",), "companion": ("assistant",)}.get(asked.side)
        if wanted and not isinstance(each.found, Memory) and each.role not in wanted:
            return False
        if asked.about_past:
            return True
        if asked.asks:
            return near.nearest >= self._section.s_question
        cosines = [near.memories.get(id, 0.0) for id in each.stands_for]
        cosines += [near.of_turn(message[:2]) for message in each.covers]
        return max(cosines) >= self._section.s_passing

    def _pack(
        self,
        candidates: Iterable[Candidate],
        query: Query,
        asked: Question,
        now: datetime,
        left: int,
    ) -> RecallResult:
        """Fill the block, best first, while candidates fit; skip those that add nothing. left: most
        of its tokens."""
        chosen: list[tuple[Note, Candidate]] = []
        covered: set[MessageKey] = set()
        for each in candidates:
            if left < LEAST_LINE:
                break
            if each.covers and each.covers <= covered:
                continue
            note, cost = self._fitting(each, asked, now, left)
            if note is None:
                continue
            left -= cost
            chosen.append((note, each))
            covered |= each.covers
        chosen = in_order(chosen, query)
        used = {id for _, each in chosen for id in each.stands_for}
        return RecallResult(
            "\n".join(note.line for note, _ in chosen),
            tuple(note.recalled(each.score) for note, each in chosen),
            tuple(sorted(used)),
            excerpts=tuple(
                _excerpt(note, each, now)
                for note, each in sorted(chosen, key=lambda pair: -pair[1].score)
            ),
        )

    def _fitting(
        self, each: Candidate, asked: Question, now: datetime, left: int
    ) -> tuple[Note | None, int]:
        """Its line, as a whole or else in the part that fits best, and its tokens; None when
        neither fits into what is left."""
        for most in (None, int((left - DAY) / TOKENS_A_WORD)):
            if most is not None and (most < LEAST_PART or isinstance(each.found, Memory)):
                break
            note = _note(each, asked, now, left, most)
            cost = 0 if note is None else self._count(note.line) + 1
            if note is not None and cost <= left:
                return note, cost
        return None, 0


def _note(
    each: Candidate, asked: Question, now: datetime, left: int, most: int | None
) -> Note | None:
    """Its line; None when it says nothing, or is known not to fit without resolving its dates,
    which is the slowest part. most: words of a part of it, or None for the whole."""
    if isinstance(each.found, Memory):
        return memory_note(each.found, now)
    message = each.found.user if each.role == "user" else each.found.reply
    if message is None:
        return None
    if most is None and len(clipped(message.text).split()) + LEAST_DAY > left:
        return None
    return message_note(
        each.found,
        each.role,
        now,
        most=most,
        before=each.before,
        questions=asked.of_asking,
        asked={language.words.stem(word) for word in asked.words},
        quote=each.quote,
    )


def _excerpt(note: Note, each: Candidate, now: datetime) -> Excerpt:
    if isinstance(each.found, Memory):
        quotes = [] if each.found.told_by_parent else [one.quote for one in each.found.sources]
        said = sayable(" ".join(quotes))
        moment = each.found.created
    else:
        own = each.found.user if each.role == "user" else None
        said, moment = said_in(own) if own else "", each.found.time
    return Excerpt(body(note, moment), said, told_when(moment, now), note.talk, each.score)


def _by_day(
    found: list[Candidate], told: dict[tuple[str, int], float], of_days: list[int], one: bool
) -> list[Candidate]:
    """Those of the named days first; of one day, no others: they mislead."""
    remembered = set(of_days)

    def weight(each: Candidate) -> float:
        if remembered & set(each.stands_for):
            return 1.0
        return max((told.get(message[:2], 0.0) for message in each.covers), default=0.0)

    kept = [each for each in found if weight(each) >= 1] if one else found
    return sorted(kept, key=lambda each: -each.rank - weight(each))


def _in_talk(c: apsw.Connection, query: Query, fitting: set[tuple[str, int]]) -> bool:
    """Whether a statement among the fitting turns stands in the prompt. Not by meaning: questions
    are close to each other whatever they ask, and answer nothing."""
    shown = (query.shown & fitting) - {query.asking}
    return any(
        turn.user is not None and not language.question.asking(turn.user.text)
        for turn in history.turns_named(c, shown).values()
    )
