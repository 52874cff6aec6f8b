"""Sessions cut into chunks that fit a prompt, and what was said before each (paper 4.3, B.4)."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from companion import language
from companion.config import ConsolidationSection
from companion.consolidation import prompts
from companion.consolidation.report import Effects
from companion.consolidation.structured import Asker
from companion.engines.protocols import ChatMessage, LanguageModel
from companion.records import Turn
from companion.safety.sanitize import sanitized
from companion.store import history, intermediate, pending
from companion.store.database import Store
from companion.store.intermediate import Chunk
from companion.store.pending import Unit

_CONTEXT_SHARE = 0.6
"""Share of the model's context for a chunk; the rest is for instructions, summary and answer."""

_MESSAGE_CHARACTERS = 1500
"""Characters shown of each message in transcripts."""

_SUMMARY_TOKENS = 110

Cut = tuple[int, int]
"""First and last turn of a chunk, both included."""


class Chunking:
    """The step `chunk`: cuts the turns of one session that are in no chunk yet."""

    name = "chunk"

    def __init__(self, model: LanguageModel, store: Store, section: ConsolidationSection) -> None:
        self._model = model
        self._store = store
        self._limit = min(section.chunk_tokens, int(model.context_tokens * _CONTEXT_SHARE))

    def pending(self, c: apsw.Connection) -> list[Unit]:
        return pending.unchunked(c)

    async def infer(self, unit: Unit) -> list[Cut]:
        session, first = unit
        turns = await self._store.read(history.turns, session)
        opened = await self._store.read(history.session, session)
        sizes = [
            (turn.number, self._model.count([ChatMessage("user", transcript([turn]))]))
            for turn in turns
            if turn.number >= first
        ]
        return cut(sizes, first, opened.turns if opened else first, self._limit)

    def commit(self, c: apsw.Connection, unit: Unit, result: list[Cut]) -> Effects:
        intermediate.add_chunks(c, unit[0], result)
        return Effects()


class Summarizing:
    """The step `summarize`: sums up what was said before one of a session's later chunks."""

    name = "summarize"

    def __init__(self, asker: Asker, store: Store) -> None:
        self._asker = asker
        self._store = store

    def pending(self, c: apsw.Connection) -> list[Unit]:
        return pending.unsummarized(c)

    async def infer(self, unit: Unit) -> str:
        session, number = unit
        before = await self._store.read(intermediate.chunk, session, number - 1)
        turns = await self._store.read(turns_of, before)
        summary = before.summary if before else None
        if not turns:
            return summary or ""
        messages = [
            ChatMessage("system", prompts.SUMMARY_INSTRUCTIONS),
            ChatMessage("user", prompts.summary_request(transcript(turns), summary)),
        ]
        return whole_sentences(
            await self._asker.tell(self.name, messages, max_tokens=_SUMMARY_TOKENS)
        )

    def commit(self, c: apsw.Connection, unit: Unit, result: str) -> Effects:
        intermediate.put_summary(c, *unit, result)
        return Effects()


def cut(sizes: Sequence[tuple[int, int]], first: int, last: int, limit: int) -> list[Cut]:
    """Turns `first` to `last` in runs of at most `limit` tokens; a longer turn is its own chunk.

    sizes: `(turn number, tokens)` of those turns that still exist, in order.
    """
    starts, used = [first], 0
    for number, size in sizes:
        if used and used + size > limit:
            starts.append(number)
            used = 0
        used += size
    ends = [start - 1 for start in starts[1:]] + [last]
    return list(zip(starts, ends, strict=True))


def turns_of(c: apsw.Connection, chunk: Chunk | None) -> list[Turn]:
    """The chunk's turns that still exist, oldest first, without those that a guard stopped."""
    if chunk is None:
        return []
    numbers = range(chunk.first_turn, chunk.last_turn + 1)
    return [
        turn
        for turn in history.turns(c, chunk.session)
        if turn.number in numbers and turn.stopped is None
    ]


def transcript(turns: Sequence[Turn]) -> str:
    """Turns as lines, each with its speaker; very long messages are cut."""
    said = (message for turn in turns for message in (turn.user, turn.reply) if message)
    names = prompts.SPEAKERS
    return "\n".join(f"{names[m.role]}: {sanitized(m.text[:_MESSAGE_CHARACTERS])}" for m in said)


def whole_sentences(text: str) -> str:
    """The text without a last sentence that a token limit cut off."""
    text = " ".join(text.split())
    if not text or text[-1] in '.!?"”':
        return text
    spans = language.sentences.spans(text)
    return text if len(spans) < 2 else text[: spans[-2][1]]
