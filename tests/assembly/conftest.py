"""A dialog and a consolidation over a real store, on a model that says what it is told to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from companion.assembly.missing import Fail
from companion.assembly.models import Models
from companion.assembly.phases import open_phases
from companion.assembly.store import open_store
from companion.clock import Clock, SystemClock
from companion.config import Config
from companion.consolidation.report import Progress, Report
from companion.dialog.turn import TurnResult
from companion.engines.protocols import ChatMessage
from companion.errors import CompanionError
from companion.phases import Phases
from companion.store import history, memories
from companion.store.database import Store
from tests.fakes import HashEmbedder, Script, ScriptedModel, of_no_weights

FACT = "The user has a hamster named Biscuit."


def talks_and_learns(messages: Sequence[ChatMessage]) -> str:
    """Talks as Pip; when it consolidates it finds one fact and judges nobody's character."""
    if messages[0].text.startswith("You are Pip"):
        return "That is nice. Tell me more."
    if "big_five" in messages[0].text:
        return '{"summary": "The user is curious.", "big_five": [null, null, null, null, null]}'
    return FACT if "Biscuit" in messages[-1].text else "none"


@dataclass
class Witness:
    """A watcher that remembers."""

    steps: list[Progress] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)
    failures: list[CompanionError] = field(default_factory=list)

    def progress(self, progress: Progress) -> None:
        self.steps.append(progress)

    def finished(self, report: Report) -> None:
        self.reports.append(report)

    def failed(self, error: CompanionError) -> None:
        self.failures.append(error)


@dataclass
class World:
    """A running companion, and how it is talked to."""

    store: Store
    model: ScriptedModel
    phases: Phases
    witness: Witness

    async def say(self, text: str) -> TurnResult:
        """One turn, to its end."""
        async with self.phases.awake() as dialog, aclosing(dialog.reply(text)) as reply:
            async for _ in reply:
                pass
        return reply.result

    async def sessions(self) -> list[tuple[bool, bool]]:
        """Of each session: has it ended, is it consolidated."""
        return [
            (s.ended is not None, s.consolidated) for s in await self.store.read(history.sessions)
        ]

    async def remembered(self) -> list[str]:
        """The texts of all active memories."""
        return [memory.text for memory in await self.store.read(memories.list_memories)]


@asynccontextmanager
async def a_world(
    data_dir: Path,
    *,
    inactivity_s: float = 0.1,
    script: Script = talks_and_learns,
    seconds_per_token: float = 0.0,
    clock: Clock | None = None,
) -> AsyncIterator[World]:
    """A companion that begins in silence."""
    clock = clock or SystemClock()
    config = Config.model_validate(
        {
            "data_dir": data_dir,
            "store": {"encrypt": False},
            "persona": {"greeting": False, "examples": False},
            "consolidation": {
                "inactivity_s": inactivity_s,
                "mode": "turns",
            },  # a night of many calls
            "safety": {"guard": "patterns"},  # the classifier works over MiniLM only
        }
    )
    config = of_no_weights(config)
    model, embedder = ScriptedModel(script, seconds_per_token=seconds_per_token), HashEmbedder()
    async with open_store(config, clock, mode="owner") as store:
        models, witness = Models(model, model, embedder), Witness()
        async with open_phases(config, clock, store, models, Fail(), witness) as phases:
            yield World(store, model, phases, witness)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """Falls silent for good after 0.1 s."""
    async with a_world(tmp_path) as made:
        yield made
