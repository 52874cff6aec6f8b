"""Memories as the paper publishes them (B.3 and B.7, in our words), to be compared with ours.

A whole chunk of talk, both sides, is read at once; what the model calls worth remembering is kept
as it is written. Nothing bears it out, and no day is put to it. A new memory is shown to the model
with the known ones that are nearest, to be added or to overwrite one of them.

Four things are ours, all in its favour: grammars, so that no answer is lost; name, age and gender
by rules; repeats within a session dropped by code (B.5) and the personality computed by code (B.6);
and each memory names the turn that it fits best, so that erasing that turn erases it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import apsw
import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from companion import language
from companion.clock import Clock
from companion.config import ConsolidationSection
from companion.consolidation import prompts
from companion.consolidation.chunks import transcript, turns_of
from companion.consolidation.core import learn_core
from companion.consolidation.extract import MESSAGE_CHARACTERS
from companion.consolidation.report import Effects, Entry
from companion.consolidation.structured import Asker, parse_json
from companion.consolidation.told import asks_parent, contradicted
from companion.engines.protocols import ChatMessage, Embedder
from companion.errors import StructureError
from companion.language.types import CoreStatement
from companion.records import Memory, Source, Turn
from companion.safety.sanitize import sanitized, without_instructions
from companion.store import history, intermediate, memories, pending, questions
from companion.store.database import Store
from companion.store.intermediate import Draft
from companion.store.pending import Unit


class Extraction(BaseModel):
    """The model's answer about a chunk."""

    memories: list[str] = Field(max_length=100)


class Update(BaseModel):
    """The model's answer about a new memory."""

    action: Literal["add", "overwrite"]
    to_overwrite: int = 0
    """Its number among those shown, from 1."""

    new_memory: str = Field(min_length=1, max_length=400)


@dataclass(frozen=True)
class Extracted:
    """The result of one chunk."""

    drafts: dict[int, list[Draft]]
    """By turn; every turn that was read has an entry."""

    core: dict[int, tuple[CoreStatement, ...]]
    dropped: tuple[str, ...] = ()


class ChunkExtracting:
    """The step `draft`, one chunk, named by the first of its turns that was not read."""

    name = "draft"

    def __init__(
        self, asker: Asker, store: Store, section: ConsolidationSection, companion: str
    ) -> None:
        """companion: the toy's own name, which is never taken for the person's."""
        self._asker = asker
        self._store = store
        self._companion = companion

    def pending(self, c: apsw.Connection) -> list[Unit]:
        first: dict[Unit, Unit] = {}
        for session, number in pending.undrafted(c):
            chunk = intermediate.chunk_of(c, session, number)
            if chunk is not None:
                first.setdefault((session, chunk.number), (session, number))
        return list(first.values())

    async def infer(self, unit: Unit) -> Extracted:
        chunk = await self._store.read(intermediate.chunk_of, *unit)
        turns = await self._store.read(turns_of, chunk)
        core = {
            turn.number: _core(turn, before, self._companion)
            for before, turn in zip([None, *turns], turns, strict=False)
        }
        drafts: dict[int, list[Draft]] = {turn.number: [] for turn in turns}
        request = prompts.extraction_request(transcript(turns), chunk.summary if chunk else None)
        messages = [
            ChatMessage("system", prompts.EXTRACT_INSTRUCTIONS),
            ChatMessage("user", request),
        ]
        try:
            found = await self._asker.ask(
                self.name,
                messages,
                lambda answer: parse_json(answer, Extraction),
                form=prompts.EXTRACT_FORM,
                max_tokens=prompts.EXTRACT_TOKENS,
                grammar=prompts.EXTRACT_GRAMMAR,
            )
        except StructureError:
            return Extracted(drafts, core, ("unreadable",))
        dropped = []
        for text in dict.fromkeys(" ".join(each.split()) for each in found.memories):
            if without_instructions(text) != text:
                dropped.append("order")
            elif text and turns:
                source = _source(text, turns)
                drafts[source.turn].append(Draft(0, text, "fact", source))
        return Extracted(drafts, core, tuple(dropped))

    def commit(self, c: apsw.Connection, unit: Unit, result: Extracted) -> Effects:
        session, _ = unit
        undrafted = {number for other, number in pending.undrafted(c) if other == session}
        entries: list[Entry] = []
        kept = 0
        for number in sorted(undrafted & result.drafts.keys()):
            intermediate.put_drafts(c, session, number, result.drafts[number])
            entries += learn_core(c, (session, number), result.core[number])
            kept += len(result.drafts[number])
        counts = {
            "turns": len(result.drafts),
            "drafted": kept + len(result.dropped),
            "grounded": kept,
        }
        return Effects(counts, tuple(entries), result.dropped)


@dataclass(frozen=True)
class Updated:
    """What becomes of a draft."""

    text: str
    other: int | None
    """The id of the memory that it overwrites."""

    vector: NDArray[np.float32]


class Updating:
    """The step `refine`: one draft is added, or overwrites a memory."""

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
        self._similar = section.similar

    def pending(self, c: apsw.Connection) -> list[Unit]:
        return pending.unrefined(c)

    async def infer(self, unit: Unit) -> Updated:
        draft = await self._store.read(intermediate.draft, unit[1])
        text = draft.text if draft is not None else ""
        vector = (await self._embedder.embed([text]))[0]
        known = await self._store.read(self._nearest, vector)
        if not known:
            return Updated(text, None, vector)
        request = prompts.update_request([sanitized(each.text) for each in known], sanitized(text))
        messages = [
            ChatMessage("system", prompts.UPDATE_INSTRUCTIONS),
            ChatMessage("user", request),
        ]
        answer = await self._asker.ask(
            self.name,
            messages,
            lambda answer: parse_json(answer, Update),
            form=prompts.UPDATE_FORM,
            max_tokens=prompts.UPDATE_TOKENS,
            grammar=prompts.UPDATE_GRAMMAR,
        )
        number = answer.to_overwrite
        overwrites = answer.action == "overwrite" and 1 <= number <= len(known)
        if answer.new_memory != text:
            vector = (await self._embedder.embed([answer.new_memory]))[0]
        return Updated(answer.new_memory, known[number - 1].id if overwrites else None, vector)

    def commit(self, c: apsw.Connection, unit: Unit, result: Updated) -> Effects:
        draft = intermediate.draft(c, unit[1])
        assert draft is not None, "checked to be pending in this transaction"
        sources = intermediate.draft_sources(c, draft.id)
        intermediate.settle(c, draft.id)
        other = None if result.other is None else memories.get(c, result.other)
        told = contradicted(c, draft, result.vector, self._embedder.name)
        if told is None and other is not None:
            told = asks_parent(c, [other.id], agrees=False)
        if told is not None:
            questions.ask(c, result.text, draft.source, self._clock.wall(), memory=told)
            return Effects()
        if other is not None and other.status != "active":
            other = None
        turn = history.turn(c, draft.source.session, draft.source.turn)
        id = memories.add(
            c,
            result.text,
            kind=draft.kind,
            sources=[*sources, *(other.sources if other is not None else ())],
            vector=result.vector,
            embedder=self._embedder.name,
            now=self._clock.wall(),
            said=None if turn is None else turn.time,
        )
        turns = tuple((source.session, source.turn) for source in sources)
        if other is None:
            return Effects({"added": 1}, (Entry("learnt", "memory", result.text, None, id, turns),))
        memories.supersede(c, other.id, id)
        entry = Entry("changed", "memory", result.text, other.text, id, turns)
        return Effects({"added": 1, "replaced": 1}, (entry,))

    def _nearest(self, c: apsw.Connection, vector: NDArray[np.float32]) -> list[Memory]:
        near = memories.nearest(c, vector, self._similar, embedder=self._embedder.name)
        known = memories.get_all(c, [id for id, _ in near])
        return [known[id] for id, _ in near]


def _core(turn: Turn, before: Turn | None, companion: str) -> tuple[CoreStatement, ...]:
    """Name, age and gender in a turn, by the same rules as in `extract`."""
    if turn.user is None:
        return ()
    reply = before.reply.text if before is not None and before.reply is not None else ""
    asked = language.introduction.asks_for(language.prefilter.question_to_user(reply))
    said = without_instructions(turn.user.text[:MESSAGE_CHARACTERS])
    return tuple(language.introduction.said(said, asked=asked, companion=companion))


def _source(text: str, turns: Sequence[Turn]) -> Source:
    """The turn that shares most words with a memory, and the person's words in it."""
    wanted = language.words.content(text)

    def shared(turn: Turn) -> int:
        heard = language.words.stems(turn.user.text if turn.user is not None else "")
        return sum(language.words.occurs(word, heard) for word in wanted)

    best = max(turns, key=shared)
    words = best.user.text if best.user is not None and shared(best) else ""
    return Source(best.session, best.number, words[:MESSAGE_CHARACTERS])
