"""Language models and embedder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.assembly.guard import check_guard
from companion.assembly.missing import CANNOT_LEARN, CANNOT_THINK, Policy, Step
from companion.config import Config, LlmSection
from companion.config.document import shipped
from companion.engines.absent import AbsentEmbedder, AbsentModel
from companion.engines.embedding.cached import CachedEmbedder
from companion.errors import CompanionError, EngineError
from companion.weights.located import adapter_file, model_file, model_folder, model_name

if TYPE_CHECKING:
    from companion.engines.protocols import Embedder, LanguageModel, SpanReader


@dataclass(frozen=True)
class Models:
    """The models that are loaded, or what stands in for them."""

    active: LanguageModel
    """Talks."""

    inactive: LanguageModel
    """Consolidates; the same object as `active` when one model does both."""

    embedder: Embedder

    @property
    def shared(self) -> bool:
        """Consolidation borrows the dialog's model."""
        return self.inactive is self.active

    @property
    def can_learn(self) -> bool:
        """What consolidation needs is there."""
        return None not in (_name(self.inactive), _name(self.embedder))

    @property
    def names(self) -> dict[str, str | None]:
        """Role to name; None for one that is not there."""
        return {
            "active": _name(self.active),
            "inactive": _name(self.inactive),
            "embedder": _name(self.embedder),
        }


def _name(model: LanguageModel | Embedder) -> str | None:
    return None if isinstance(model, AbsentModel | AbsentEmbedder) else model.name


@asynccontextmanager
async def open_models(
    config: Config, policy: Policy, *, think: bool = True
) -> AsyncIterator[Models]:
    """Load every model that talking needs; the largest first, while memory is in one piece.

    think: False loads no language model (safe mode). Raises ConfigError for a guard that does not
    suit the embedder, and what the policy raises: ModelFileError, EngineError.
    """
    async with AsyncExitStack() as stack:
        policy.on_step(Step.LANGUAGE_MODEL)
        active = inactive = absent_model(config)
        if think:
            active = inactive = await _model(stack, config, config.llm.active, policy, CANNOT_THINK)
        other = config.llm.inactive
        if other not in (None, config.llm.active) and not isinstance(active, AbsentModel):
            assert other is not None
            inactive = await _model(stack, config, other, policy, CANNOT_LEARN)
        policy.on_step(Step.EMBEDDER)
        yield Models(active, inactive, await _embedder(stack, config, policy))


def absent_model(config: Config) -> LanguageModel:
    """What answers where there is no model."""
    return AbsentModel(CANNOT_THINK, context_tokens=config.llm.active.context_tokens)


async def _model(
    stack: AsyncExitStack, config: Config, section: LlmSection, policy: Policy, otherwise: str
) -> LanguageModel:
    try:
        return await stack.enter_async_context(open_language_model(config, section))
    except CompanionError as error:
        policy.missing(otherwise, error)
        return absent_model(config)


async def _embedder(stack: AsyncExitStack, config: Config, policy: Policy) -> Embedder:
    try:
        found = await stack.enter_async_context(open_embedder(config))
    except CompanionError as error:
        policy.missing(CANNOT_LEARN, error)
        return AbsentEmbedder(CANNOT_LEARN)
    try:
        await check_guard(config, found)
    except EngineError as error:
        policy.missing(CANNOT_LEARN, error)
        return AbsentEmbedder(CANNOT_LEARN)
    return found


def span_reader(config: Config) -> SpanReader | None:
    """What finds the words that answer a question, loaded with the first; None: switched off."""
    if not config.retrieval.span_reader:
        return None
    from companion.engines.span_reader import OnnxSpanReader

    return OnnxSpanReader(shipped("models/readers/minilm-reader.onnx"), config.embedder.threads)


@asynccontextmanager
async def open_language_model(config: Config, section: LlmSection) -> AsyncIterator[LanguageModel]:
    """One model, loaded. Raises ModelFileError, EngineError."""
    model: LanguageModel
    if section.backend == "openai":
        from companion.engines.server.client import OpenAIServer

        model = OpenAIServer(section)
    else:
        from companion.engines.llama.model import LlamaCpp

        path = await asyncio.to_thread(model_file, section, config.models_dir)
        name = model_name(section, config.models_dir)
        adapter = await asyncio.to_thread(adapter_file, section, config.models_dir)
        name = name if adapter is None else f"{name}+adapter"
        model = await LlamaCpp.load(path, section, name=name, adapter=adapter)
    try:
        yield model
    finally:
        await model.close()


@asynccontextmanager
async def open_embedder(config: Config) -> AsyncIterator[Embedder]:
    """The embedder, loaded; it remembers what was embedded lately, since a turn asks for the same
    sentence several times. Raises ModelFileError, EngineError."""
    async with open_uncached_embedder(config) as found:
        yield CachedEmbedder(found)


@asynccontextmanager
async def open_judging_embedder(config: Config) -> AsyncIterator[Embedder]:
    """The embedder, once it is known to suit the guard. Raises ConfigError when it does not, and
    what `embedder` raises."""
    async with open_embedder(config) as found:
        await check_guard(config, found)
        yield found


@asynccontextmanager
async def open_uncached_embedder(config: Config) -> AsyncIterator[Embedder]:
    """The embedder alone, for who times it. Raises ModelFileError, EngineError."""
    section = config.embedder
    found: Embedder
    if section.backend == "sentence-transformers":
        from companion.engines.embedding.reference import SentenceTransformerEmbedder

        found = await SentenceTransformerEmbedder.load(section.model, section.threads)
    else:
        from companion.engines.embedding.onnx import OnnxEmbedder, name_of

        folder = await asyncio.to_thread(model_folder, section, config.models_dir)
        name = folder.name if section.directory is None else name_of(folder)
        found = await OnnxEmbedder.load(folder, name=name, threads=section.threads)
    try:
        yield found
    finally:
        await found.close()
