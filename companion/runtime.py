"""The composition point: from a configuration to store, engines, dialog and consolidation.

Here a few `if` branches choose backends, and nowhere else. A heavy library is imported when its
backend is chosen, so that a command that only looks into the store starts at once. What is
opened here is an async context manager, and closed however the command ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

from companion.clock import Clock
from companion.config import (
    Config,
    LlmSection,
    RetrievalSection,
    SafetySection,
)
from companion.errors import StoreError, StoreFailing
from companion.weights.located import model_file, model_folder

if TYPE_CHECKING:
    from companion.consolidation.phase import Consolidation
    from companion.dialog.prefix import StoredPrefix
    from companion.dialog.recall_protocol import Recalls
    from companion.dialog.turn import Dialog
    from companion.engines.protocols import Embedder, LanguageModel
    from companion.safety.verdict import Guard
    from companion.store.database import Mode, Store


@dataclass(frozen=True)
class Engines:
    """The models that are loaded."""

    active: LanguageModel
    """Talks."""

    inactive: LanguageModel
    """Consolidates; the same object as `active` when one model does both."""

    embedder: Embedder

    @property
    def shared(self) -> bool:
        """Consolidation borrows the dialog's model."""
        return self.inactive is self.active


@asynccontextmanager
async def engines(config: Config) -> AsyncIterator[Engines]:
    """Load every model that talking needs; the largest first, while memory is in one piece.

    Raises ModelFileError, EngineError, ConfigError (a guard that this embedder does not suit).
    """
    from companion.engines.recent_embedder import RecentEmbedder

    async with AsyncExitStack() as stack:
        active = await stack.enter_async_context(language_model(config, config.llm.active))
        inactive = active
        if config.llm.inactive not in (None, config.llm.active):
            inactive = await stack.enter_async_context(language_model(config, config.llm.inactive))
        found = RecentEmbedder(await stack.enter_async_context(embedder(config)))
        await check_guard(config.safety, found)
        yield Engines(active, inactive, found)


@asynccontextmanager
async def language_model(config: Config, section: LlmSection) -> AsyncIterator[LanguageModel]:
    """One model, loaded. Raises ModelFileError, EngineError."""
    model: LanguageModel
    if section.backend == "openai":
        from companion.engines.openai_server import OpenAIServer

        model = OpenAIServer(section)
    else:
        from companion.engines.llama import LlamaCpp

        path = await asyncio.to_thread(model_file, section, config.models_dir)
        model = await LlamaCpp.load(
            path, section, name=path.stem if section.file else section.model
        )
    try:
        yield model
    finally:
        await model.close()


@asynccontextmanager
async def embedder(config: Config) -> AsyncIterator[Embedder]:
    """The embedder, loaded. Raises ModelFileError, EngineError."""
    section = config.embedder
    found: Embedder
    if section.backend == "sentence-transformers":
        from companion.engines.st_embedder import SentenceTransformerEmbedder

        found = await SentenceTransformerEmbedder.load(section.model, section.threads)
    else:
        from companion.engines.onnx_embedder import OnnxEmbedder, name_of

        folder = await asyncio.to_thread(model_folder, section, config.models_dir)
        name = folder.name if section.directory is None else name_of(folder)
        found = await OnnxEmbedder.load(folder, name=name, threads=section.threads)
    try:
        yield found
    finally:
        await found.close()


@asynccontextmanager
async def store(
    config: Config, clock: Clock, *, mode: Mode, talk_on: bool = False
) -> AsyncIterator[Store]:
    """The store: as its one owner, or to look on, also beside an owner.

    talk_on: while its disk cannot be written, an empty store in RAM takes its place; its notice
    says so. A store that was never used is made even for a reader, who then finds it empty.
    Raises StoreBusy, StoreNewer, StoreError.
    """
    from companion.store.database import Store
    from companion.store.opening import DATABASE

    try:
        if not (config.data_dir / DATABASE).exists():
            mode = "owner"
        opened = await Store.open(
            config.data_dir,
            config.store,
            clock,
            mode=mode,
            largest_gap_days=config.forgetting.largest_gap_days,
        )
    except StoreFailing as error:
        if not talk_on:
            raise
        opened = await Store.in_ram(config.data_dir, config.store, clock, error)
    except OSError as error:
        place = error.filename or config.data_dir
        raise StoreError(
            f"{place}: cannot be used: {error.strerror}; if the service owns it: sudo companion"
        ) from None
    try:
        yield opened
    finally:
        await opened.close()


def dialog(
    config: Config, clock: Clock, store: Store, model: LanguageModel, embedder: Embedder
) -> Dialog:
    """The active phase over loaded engines; not opened yet."""
    from companion.dialog.turn import Dialog

    return Dialog(
        model,
        embedder,
        store,
        clock,
        recall(config.retrieval, clock, store, model, embedder),
        persona=config.persona,
        dialog=config.dialog,
        inactivity_s=config.consolidation.inactivity_s,
        guard=guard(config.safety, embedder),
        safety=config.safety,
    )


def guard(section: SafetySection, embedder: Embedder) -> Guard:
    """Who judges what is said: code, and behind it the classifier over the embedder."""
    from companion.safety.layers import Layers
    from companion.safety.patterns import Patterns

    if section.guard == "patterns":
        return Layers([Patterns()])
    from companion.safety.meaning import Meaning

    return Layers([Patterns(), Meaning(embedder)])


async def check_guard(section: SafetySection, embedder: Embedder) -> None:
    """Raises ConfigError when the classifier does not suit the embedder: it would stop every word
    instead of judging it."""
    if section.guard == "full":
        from companion.safety.meaning import Meaning

        await Meaning(embedder).check()


def prefix(config: Config) -> StoredPrefix | None:
    """The stored beginning of the prompt; None where the model is a server, which keeps its own.

    Raises ModelFileError, UsageError (a name that the manifest does not know).
    """
    from companion.dialog.prefix import StoredPrefix

    section = config.llm.active
    if section.backend != "llama-cpp":
        return None
    path = model_file(section, config.models_dir)
    status = path.stat()
    weights = (
        f"{path} {status.st_size} {status.st_mtime_ns} {section.context_tokens} "
        f"{section.gpu_layers} {version('llama-cpp-python')}"
    )
    file = config.models_dir / "prefixes" / f"{path.stem}.npz"
    return StoredPrefix(file, weights, config.persona, config.dialog)


def recall(
    section: RetrievalSection, clock: Clock, store: Store, model: LanguageModel, embedder: Embedder
) -> Recalls:
    """What finds the memories that fit: the paper's way, or ours."""
    if section.mode == "paper":
        from companion.dialog.recall_paper import PaperRecall

        return PaperRecall(store, embedder, clock, section)
    count = partial(_tokens, model)
    if section.fill == "packed":
        from companion.dialog.recall_packed import PackedRecall

        return PackedRecall(store, embedder, clock, section, count)
    from companion.dialog.recall import Recall

    return Recall(store, embedder, clock, section, count)


def _tokens(model: LanguageModel, text: str) -> int:
    """Tokens that a text adds to a prompt."""
    from companion.engines.protocols import ChatMessage

    return model.count([ChatMessage("user", text)]) - model.count([ChatMessage("user", "")])


def consolidation(
    config: Config, clock: Clock, store: Store, model: LanguageModel, embedder: Embedder
) -> Consolidation:
    """The inactive phase over loaded engines."""
    from companion.consolidation.phase import Consolidation

    return Consolidation(
        model,
        embedder,
        store,
        clock,
        section=config.consolidation,
        forgetting=config.forgetting,
        guard=guard(config.safety, embedder),
        safety=config.safety,
        companion=config.persona.name,
    )
