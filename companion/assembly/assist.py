"""Recall at a touch over an open store and loaded models."""

from __future__ import annotations

from companion import language
from companion.assembly.dialog import place_of_state
from companion.assembly.guard import build_guard
from companion.assembly.models import span_reader
from companion.assist.answer import head
from companion.assist.assistant import Assistant
from companion.assist.listening import Listening
from companion.clock import Clock
from companion.config import Config
from companion.dialog.prefix import StoredState
from companion.engines.absent import AbsentModel
from companion.engines.protocols import Embedder, LanguageModel, is_tuned
from companion.safety.pattern_guard import PatternGuard
from companion.store.database import Store


def build_assistant(
    config: Config, store: Store, model: LanguageModel | None, embedder: Embedder
) -> Assistant:
    """What whispers the missing word. model: the dialog's, which it borrows; where there is none,
    rules answer what they can. Raises ModelFileError."""
    language.choose(config.language)
    if isinstance(model, AbsentModel):
        model = None
    stored = None
    if model is not None and (kept := place_of_state(config, ".assist")) is not None:
        stored = StoredState(*kept, head(model), trained=is_tuned(model))
    # The classifier knows what children say to a toy; of words to others ("she is allergic to") it
    # makes an emergency. What is whispered stands in what was kept, which it has judged.
    spans = span_reader(config)
    return Assistant(model, embedder, store, PatternGuard(), config.assist, stored, spans)


def build_listening(config: Config, clock: Clock, store: Store, embedder: Embedder) -> Listening:
    """The mode in which others are overheard; off until somebody switches it on."""
    guard = build_guard(config, embedder, of_others=True)
    return Listening(store, embedder, guard, clock, config.assist)
