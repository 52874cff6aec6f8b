"""The inactive phase over loaded models."""

from __future__ import annotations

from companion import language
from companion.assembly.guard import build_guard, build_play
from companion.clock import Clock
from companion.config import Config
from companion.config.settings import Live
from companion.consolidation.phase import Consolidation
from companion.engines.protocols import Embedder, LanguageModel
from companion.store.database import Store


def build_consolidation(
    config: Config, clock: Clock, store: Store, model: LanguageModel, embedder: Embedder
) -> Consolidation:
    """What makes memories of talk; nothing runs yet."""
    language.choose(config.language)
    live = Live(config)
    return Consolidation(
        model,
        embedder,
        store,
        clock,
        section=config.consolidation,
        forgetting=config.forgetting,
        guard=build_guard(config, embedder),
        play=build_play(config),
        safety=config.safety,
        companion=config.persona.name,
        personality=lambda: live().consolidation.personality,
    )
