"""Dialog and consolidation in turn, over an open store and loaded models."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from companion.assembly.consolidation import build_consolidation
from companion.assembly.dialog import open_dialog
from companion.assembly.missing import Policy
from companion.assembly.models import Models
from companion.clock import Clock
from companion.config import Config
from companion.phases import Phases, Watcher
from companion.store.database import Store


@asynccontextmanager
async def open_phases(
    config: Config, clock: Clock, store: Store, models: Models, policy: Policy, watcher: Watcher
) -> AsyncIterator[Phases]:
    """A companion in its first silence; its session ends when the block is left.

    It learns only where what it learns is kept, and where there is a model to learn with.
    Raises what the policy raises: ContextTooSmall.
    """
    dialog = await open_dialog(config, clock, store, models, policy)
    learning = None
    if models.can_learn and store.trouble is None:
        learning = build_consolidation(config, clock, store, models.inactive, models.embedder)
    shared = models.active if models.shared else None
    phases = Phases(dialog, learning, shared, config.consolidation.inactivity_s, clock, watcher)
    phases.start()
    try:
        yield phases
    finally:
        await phases.close()
