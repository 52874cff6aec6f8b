"""A dialog over small parts, for the tests of this room."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Literal, Protocol

from companion.answering import Answerer, Examples, ReadsActs
from companion.clock import ManualClock
from companion.config import (
    ConsolidationSection,
    DialogSection,
    ForgettingSection,
    PersonaSection,
    SafetySection,
    ServiceSection,
    StoreSection,
)
from companion.consolidation.phase import Consolidation
from companion.dialog.notes_reader import NotesReader
from companion.dialog.reply import TurnResult
from companion.dialog.turn import Dialog
from companion.engines.protocols import Embedder, LanguageModel, SpanReader
from companion.recall.protocol import Query, RecallResult
from companion.records import Recalled, Turn
from companion.safety.moved_on import MovedOn
from companion.safety.verdict import Guard
from companion.store import history
from companion.store.database import Store
from tests.fakes import HashEmbedder, ScriptedModel

START = datetime(2026, 5, 4, 9, 0, tzinfo=timezone.utc)
INACTIVITY_S = 600.0


class Written(Answerer, Examples, Protocol):
    """What answers without the model and lends it examples."""


@dataclass
class Notebook:
    """A recall that gives what it is told to, in turn, and notes how it was asked."""

    results: Sequence[RecallResult] = (RecallResult("", ()),)
    asked: list[tuple[str, str | None, frozenset[tuple[str, int]], str | None]] = field(
        default_factory=list
    )

    async def recall(self, query: Query) -> RecallResult:
        self.asked.append((query.text, query.session, query.shown, query.previous))
        return self.results[(len(self.asked) - 1) % len(self.results)]


def note(text: str, id: str = "2026-05-01-1#1", used: tuple[int, ...] = ()) -> RecallResult:
    """One recalled turn."""
    return RecallResult(text, (Recalled(id, "turn", text, 1.0),), used)


@dataclass
class Talk:
    """The parts of one running companion."""

    dialog: Dialog
    model: LanguageModel
    embedder: Embedder
    store: Store
    clock: ManualClock
    recall: Notebook

    async def say(self, words: str, *, keep: bool = True) -> TurnResult:
        """A whole turn."""
        async with aclosing(self.dialog.reply(words, keep=keep)) as reply:
            said = [sentence async for sentence in reply]
        assert reply.result.text == " ".join(said)
        return reply.result

    async def turns(self) -> list[Turn]:
        """Everything in the log."""
        sessions = await self.store.read(history.sessions)
        return [t for each in sessions for t in await self.store.read(history.turns, each.id)]

    async def consolidate(self, mode: Literal["words", "turns"]) -> None:
        """Close the session, and do a night's work; `turns` asks the model for each message."""
        await self.dialog.close()
        await Consolidation(
            self.model,
            self.embedder,
            self.store,
            self.clock,
            section=ConsolidationSection(mode=mode),
            forgetting=ForgettingSection(),
        ).run()


@asynccontextmanager
async def talking(
    directory: Path,
    model: LanguageModel | None = None,
    *,
    clock: ManualClock | None = None,
    recall: Notebook | None = None,
    embedder: Embedder | None = None,
    persona: PersonaSection | None = None,
    section: DialogSection | None = None,
    guard: Guard | None = None,
    moved_on: MovedOn | None = None,
    safety: SafetySection | None = None,
    answerers: Sequence[Answerer] = (),
    written: Callable[[Store], Written] | None = None,
    acts: ReadsActs | None = None,
    service: Callable[[], ServiceSection] = ServiceSection,
    reads_notes: bool = False,
    spans: SpanReader | None = None,
) -> AsyncIterator[Talk]:
    """A dialog on a real store; without a greeting unless `persona` asks for one. written: makes
    what answers without the model, and lends examples. acts: tells what a message does.
    reads_notes: questions to memory have a prompt of their own, and `spans` reads beside it."""
    clock = clock or ManualClock(START)
    model = model or ScriptedModel(["That is nice."])
    embedder = embedder or HashEmbedder()
    recall = recall or Notebook()
    store = await Store.open(directory, StoreSection(encrypt=False, backups=0), clock)
    try:
        own = None if written is None else written(store)
        dialog = Dialog(
            model,
            embedder,
            store,
            clock,
            recall,
            persona=persona or PersonaSection(greeting=False),
            dialog=section or DialogSection(today=False),
            inactivity_s=INACTIVITY_S,
            guard=guard,
            moved_on=moved_on,
            answerers=answerers if own is None else (*answerers, own),
            examples=own,
            acts=acts,
            safety=safety,
            service=service,
            reader=NotesReader(model, 100.0, spans) if reads_notes else None,
        )
        await dialog.open()
        yield Talk(dialog, model, embedder, store, clock, recall)
    finally:
        await store.close()
