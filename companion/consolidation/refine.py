"""Stores a session's new facts, comparing each with similar memories (paper B.7).

The model judges, code writes (design decision 6): the model is asked only what code cannot decide,
and answers with one word about one pair of facts. Replacing means superseding: the old memory is
kept with a link to the new one, hidden from recall, and can be restored. In doubt both are kept.
What a parent has told is never replaced: the parent is asked (`companion.consolidation.told`).

Small models see a conflict wherever two notes look alike (the 1.5B model let a new puppy replace
the dog, and an allergy to eggs one to nuts), so they are asked only about pairs that can conflict
at all: most facts are compatible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import apsw
import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.clock import Clock
from companion.config import ConsolidationSection
from companion.consolidation import prompts
from companion.consolidation.outdated import Outdated, correction, outdated
from companion.consolidation.prompts import Verdict
from companion.consolidation.report import Effects, Entry
from companion.consolidation.structured import Asker
from companion.consolidation.told import asks_parent, contradicted
from companion.engines.protocols import ChatMessage, Embedder, TextVectors
from companion.records import Memory, Source
from companion.store import (
    follow_ups,
    history,
    intermediate,
    memories,
    order,
    pending,
    questions,
    token_bits,
)
from companion.store.database import Store
from companion.store.intermediate import Draft
from companion.store.pending import Unit

_SHORT = 12
"""Longest sentence, in words, of an excerpt that another may take the place of."""


@dataclass(frozen=True)
class Refined:
    """What becomes of a draft."""

    verdict: Verdict
    other: int | None
    """The id of the memory that it repeats or replaces."""

    embedded: TextVectors | None
    """None when the draft is gone."""

    outdated: tuple[Outdated, ...] = ()
    """The memories that it takes the place of, since it corrects what they say."""

    left: tuple[TextVectors, ...] = ()
    """Of what is left of those, in their order."""


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
            return Refined("adds", None, None)
        [embedded] = await self._embedder.embed_tokens([draft.text])
        if (corrects := correction(draft)) is not None:
            [near] = await self._embedder.embed([corrects.words])
            name = self._embedder.name
            found = await self._store.read(outdated, draft, corrects, near, embedder=name)
            if found:
                rests = [each.rest.text for each in found if each.rest]
                left = await self._embedder.embed_tokens(rests) if rests else []
                return Refined("replaces", found[0].memory, embedded, found, tuple(left))
        for memory, cosine in await self._store.read(self._similar, embedded.vector):
            verdict = judge(memory, draft, cosine)
            if verdict is None:
                verdict = await self._ask(memory, draft)
            if verdict != "adds":
                return Refined(verdict, memory.id, embedded)
        return Refined("adds", None, embedded)

    def commit(self, c: apsw.Connection, unit: Unit, result: Refined) -> Effects:
        draft = intermediate.draft(c, unit[1])
        assert draft is not None, "checked to be pending in this transaction"
        assert result.embedded is not None, "the draft was there"
        sources = intermediate.draft_sources(c, draft.id)
        turns = tuple((source.session, source.turn) for source in sources)
        intermediate.settle(c, draft.id)
        other = None if result.other is None else memories.get(c, result.other)
        now = self._clock.wall()
        told = contradicted(c, draft, result.embedded.vector, self._embedder.name)
        if told is None and other is not None:
            others = (other.id, *(each.memory for each in result.outdated))
            told = asks_parent(c, others, agrees=result.verdict == "same")
        if told is not None:  # a parent's word stands: the parent is asked
            questions.ask(c, draft.text, draft.source, _said(c, draft) or now, memory=told)
            return Effects()
        if result.verdict == "same" and other is not None:
            memories.add_sources(c, other.id, sources)
            follow_ups.clear(c, other.id)
            memories.touch(c, [other.id], now)  # hearing a fact again counts as a use
            return Effects({"duplicates": 1})
        id = self._add(c, draft, sources, result.embedded)
        if result.verdict == "replaces" and other is not None and other.status == "active":
            if order.latest(c, sources) < order.latest(c, other.sources):
                # The draft was parked, and a later statement became a memory before it.
                memories.supersede(c, id, other.id)
                return Effects({"added": 1, "replaced": 1})
            memories.supersede(c, other.id, id)
            self._supersede_outdated(c, result, id)
            entry = Entry("changed", "memory", draft.text, other.text, id, turns)
            return Effects({"added": 1, "replaced": 1}, (entry,))
        return Effects({"added": 1}, (Entry("learnt", "memory", draft.text, None, id, turns),))

    def _supersede_outdated(self, c: apsw.Connection, result: Refined, id: int) -> None:
        """Let memory `id` take the place of all that it corrects, and keep what is left of it."""
        left = iter(result.left)
        for each in result.outdated:
            vectors = next(left) if each.rest else None
            held = memories.get(c, each.memory)
            if held is None:
                continue
            if held.status == "active":
                memories.supersede(c, each.memory, id)
            if each.rest is not None and vectors is not None and held.superseded_by in (None, id):
                rest = self._add(c, each.rest, [each.rest.source], vectors)
                follow_ups.hand_on(c, each.memory, rest)

    def _add(
        self, c: apsw.Connection, draft: Draft, sources: Sequence[Source], embedded: TextVectors
    ) -> int:
        return memories.add(
            c,
            draft.text,
            kind=draft.kind,
            sources=sources,
            vector=embedded.vector,
            tokens=token_bits.signs(embedded.tokens),
            embedder=self._embedder.name,
            now=self._clock.wall(),
            event_time=draft.event_time,
            said=_said(c, draft),
        )

    def _similar(
        self, c: apsw.Connection, vector: NDArray[np.float32]
    ) -> list[tuple[Memory, float]]:
        """Active memories that may be about the same thing, nearest first."""
        near = memories.nearest(c, vector, self._section.similar, embedder=self._embedder.name)
        least = language.similarity.RELATED_COSINE
        found = [(memories.get(c, id), score) for id, score in near if score >= least]
        return [(memory, score) for memory, score in found if memory is not None]

    async def _ask(self, old: Memory, new: Draft) -> Verdict:
        """The model's verdict on a pair; an unusable answer counts as `adds`."""
        messages = [ChatMessage("system", prompts.COMPARE_INSTRUCTIONS)]
        for old_text, new_text, verdict in prompts.COMPARE_EXAMPLES:
            messages += [_question(old_text, new_text), ChatMessage("assistant", verdict)]
        answer = await self._asker.ask(
            self.name,
            [*messages, _question(old.text, new.text)],
            _verdict,
            form=prompts.COMPARE_FORM,
            max_tokens=4,
            grammar=prompts.COMPARE_GRAMMAR,
        )
        # Near duplicates have been handled: "same" for any other pair would lose what is new.
        return "adds" if answer == "same" else answer


def _said(c: apsw.Connection, draft: Draft) -> datetime | None:
    """When the draft was said, which may be days before this run."""
    turn = history.turn(c, draft.source.session, draft.source.turn)
    return None if turn is None else turn.time


def judge(old: Memory, new: Draft, cosine: float) -> Verdict | None:
    """The verdict on a pair as far as code can tell; None when the model must be asked."""
    if old.event_time and new.event_time and old.event_time != new.event_time:
        return "adds"
    similarity = language.similarity
    before, now = old.text, new.text
    if language.excerpt.is_framed(old.text) or language.excerpt.is_framed(new.text):
        before, now = map(language.excerpt.topic, (old.text, new.text))
        covered = similarity.covers(now, before) or similarity.covers(before, now)
        if covered or similarity.same(before, now, cosine):
            return "same"
        said = [Source("", 0, old.text)] if old.told_by_parent else old.sources
        before, now = _sentence(said), _sentence([new.source])
        if not (before and now):
            return "adds"
    if similarity.same(before, now, cosine) or similarity.covers(before, now):
        return "same"
    if similarity.same_but_denied(before, now):
        return "replaces"
    lasting = not (old.event_time or new.event_time)
    changed = similarity.same_but_for_numbers(before, now) or similarity.covers(now, before)
    if lasting and (changed or similarity.same_but_for_one_value(before, now)):
        return "replaces"
    may_replace = similarity.may_replace(before, now)
    return None if may_replace and not similarity.one_more(now) else "adds"


def _sentence(sources: Sequence[Source]) -> str:
    """The words of a memory, when they are one short sentence; else "": of several, one may be
    outdated and the others true."""
    if len({source.quote for source in sources}) != 1:
        return ""
    quote = sources[0].quote
    short = len(language.words.words(quote)) <= _SHORT
    return quote if short and len(language.sentences.split(quote)) == 1 else ""


def _question(old: str, new: str) -> ChatMessage:
    return ChatMessage("user", prompts.comparison(old, new))


def _verdict(answer: str) -> Verdict:
    word = answer.strip(" .\n\"'").lower()
    for verdict in ("same", "replaces", "adds"):
        if word.startswith(verdict):
            return verdict
    return "adds"
