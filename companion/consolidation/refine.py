"""From the session to the store: one new fact at a time against its like (paper B.7).

The model judges, code writes (design decision 6): what code can tell it does not ask, and what
it asks is one word about one pair of facts. To replace is to supersede: the old memory stays
with a link, hidden from recall, and can be had back. In doubt both are kept.

Small models see a conflict wherever two notes look alike (the 1.5B let a new puppy replace the
dog, and an allergy to eggs one to nuts), so they are asked only about pairs that can conflict at
all: most facts stand side by side.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import apsw
import numpy as np
from numpy.typing import NDArray

from companion.clock import Clock
from companion.config import ConsolidationSection
from companion.consolidation.report import Effects, Entry
from companion.consolidation.similar import (
    RELATED_COSINE,
    covers,
    may_replace,
    same,
    same_but_denied,
    same_but_for_numbers,
)
from companion.consolidation.structured import Asker
from companion.engines.protocols import ChatMessage, Embedder
from companion.records import Memory
from companion.store import history, intermediate, memories, order, pending
from companion.store.database import Store
from companion.store.intermediate import Draft
from companion.store.pending import Unit

Verdict = Literal["same", "replaces", "adds"]

_INSTRUCTIONS = (
    "Compare two notes about one person. Answer with one word: same when the new note repeats "
    "the old one, replaces when the old note is no longer true, adds when both stay true."
)
_EXAMPLES: tuple[tuple[str, str, Verdict], ...] = (
    ("The user lives in Oslo.", "The user has moved to Bergen.", "replaces"),
    ("The user plays chess with Ingrid.", "The user won a chess cup.", "adds"),
    ("The user enjoys baking rye bread.", "The user likes to bake rye bread.", "same"),
    ("The user has a canary.", "The user got a second canary, Pippa.", "adds"),
)
_GRAMMAR = 'root ::= "same" | "replaces" | "adds"'
_ONE_MORE = re.compile(r"\b(?:another|also|too|second|third|one more|as well|besides)\b", re.I)


@dataclass(frozen=True)
class Refined:
    """What becomes of a draft."""

    verdict: Verdict
    other: int | None
    """The memory that it repeats or replaces."""

    vector: NDArray[np.float32]


class Refining:
    """The step `refine`: one draft."""

    name = "refine"

    def __init__(
        self,
        asker: Asker,
        embedder: Embedder,
        store: Store,
        clock: Clock,
        section: ConsolidationSection,
    ) -> None:
        self._asker = asker
        self._embedder = embedder
        self._store = store
        self._clock = clock
        self._section = section

    def pending(self, c: apsw.Connection) -> list[Unit]:
        return pending.unrefined(c)

    async def infer(self, unit: Unit) -> Refined:
        draft = await self._store.read(intermediate.draft, unit[1])
        if draft is None:
            return Refined("adds", None, np.zeros(self._embedder.dimension, np.float32))
        vector = (await self._embedder.embed([draft.text]))[0]
        for memory, cosine in await self._store.read(self._similar, vector):
            verdict = judge(memory, draft, cosine)
            if verdict is None:
                verdict = await self._ask(memory, draft)
            if verdict != "adds":
                return Refined(verdict, memory.id, vector)
        return Refined("adds", None, vector)

    def commit(self, c: apsw.Connection, unit: Unit, result: Refined) -> Effects:
        draft = intermediate.draft(c, unit[1])
        assert draft is not None, "checked to be pending in this transaction"
        sources = intermediate.draft_sources(c, draft.id)
        turns = tuple((source.session, source.turn) for source in sources)
        intermediate.settle(c, draft.id)
        other = None if result.other is None else memories.get(c, result.other)
        now = self._clock.wall()
        if result.verdict == "same" and other is not None:
            memories.add_sources(c, other.id, sources)
            memories.touch(c, [other.id], now)  # being told again is a use
            return Effects({"duplicates": 1})
        id = memories.add(
            c,
            draft.text,
            kind=draft.kind,
            sources=sources,
            vector=result.vector,
            embedder=self._embedder.name,
            now=now,
            event_time=draft.event_time,
            said=_said(c, draft),
        )
        if result.verdict == "replaces" and other is not None and other.status == "active":
            if order.latest(c, sources) < order.latest(c, other.sources):
                # It was parked, and what was said after it has become a memory before it.
                memories.supersede(c, id, other.id)
                return Effects({"added": 1, "replaced": 1})
            memories.supersede(c, other.id, id)
            entry = Entry("changed", "memory", draft.text, other.text, id, turns)
            return Effects({"added": 1, "replaced": 1}, (entry,))
        return Effects({"added": 1}, (Entry("learnt", "memory", draft.text, None, id, turns),))

    def _similar(
        self, c: apsw.Connection, vector: NDArray[np.float32]
    ) -> list[tuple[Memory, float]]:
        """Active memories that may be about the same thing, nearest first."""
        near = memories.nearest(c, vector, self._section.similar, embedder=self._embedder.name)
        found = [(memories.get(c, id), score) for id, score in near if score >= RELATED_COSINE]
        return [(memory, score) for memory, score in found if memory is not None]

    async def _ask(self, old: Memory, new: Draft) -> Verdict:
        """The model's word, where it can be; an answer that is none means adds."""
        messages = [ChatMessage("system", _INSTRUCTIONS)]
        for old_text, new_text, verdict in _EXAMPLES:
            messages += [_question(old_text, new_text), ChatMessage("assistant", verdict)]
        answer = await self._asker.ask(
            self.name,
            [*messages, _question(old.text, new.text)],
            _verdict,
            form="one of the words same, replaces, adds",
            max_tokens=4,
            grammar=_GRAMMAR,
        )
        # The near duplicates are settled by now: "same" of the rest would lose what is new.
        return "adds" if answer == "same" else answer


def _said(c: apsw.Connection, draft: Draft) -> datetime | None:
    """When the draft was told: the night may be that of another day."""
    turn = history.turn(c, draft.source.session, draft.source.turn)
    return None if turn is None else turn.time


def judge(old: Memory, new: Draft, cosine: float) -> Verdict | None:
    """What code can tell of a pair; None when the model must be asked."""
    if old.event_time and new.event_time and old.event_time != new.event_time:
        return "adds"
    if same(old.text, new.text, cosine) or covers(old.text, new.text):
        return "same"
    if same_but_denied(old.text, new.text):
        return "replaces"
    lasting = not (old.event_time or new.event_time)
    if lasting and (same_but_for_numbers(old.text, new.text) or covers(new.text, old.text)):
        return "replaces"
    return None if may_replace(old.text, new.text) and not _ONE_MORE.search(new.text) else "adds"


def _question(old: str, new: str) -> ChatMessage:
    return ChatMessage("user", f"Old: {old}\nNew: {new}")


def _verdict(answer: str) -> Verdict:
    word = answer.strip(" .\n\"'").lower()
    for verdict in ("same", "replaces", "adds"):
        if word.startswith(verdict):
            return verdict
    return "adds"
