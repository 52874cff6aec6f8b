"""Engines that note when things happened, to measure what stands around them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.engines.protocols import (
    ChatMessage,
    Embedder,
    Generation,
    LanguageModel,
    Options,
    Snapshot,
    TextVectors,
    Usage,
    is_tuned,
)
from companion.evaluation.stopwatch import Moment


class WatchedGeneration:
    """The same answer; see `engines.protocols.Generation`."""

    def __init__(self, generation: Generation) -> None:
        self.usage = generation.usage
        self.began = self.first = self.end = Moment.now()
        """When it was asked for; when the first piece came; when the last one did, or the end."""

        self._generation = generation
        self._begun = False

    def __aiter__(self) -> WatchedGeneration:
        return self

    async def __anext__(self) -> str:
        try:
            return await self._generation.__anext__()
        finally:
            self.end = Moment.now()
            if not self._begun:
                self.first, self._begun = self.end, True

    async def aclose(self) -> None:
        await self._generation.aclose()


class WatchedModel:
    """The same model; see `engines.protocols.LanguageModel`."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.last: WatchedGeneration | None = None
        """The newest answer; complete once it has ended."""

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def context_tokens(self) -> int:
        return self._model.context_tokens

    @property
    def tuned(self) -> bool:
        return is_tuned(self._model)

    def count(self, messages: Sequence[ChatMessage]) -> int:
        return self._model.count(messages)

    def generate(self, messages: Sequence[ChatMessage], options: Options) -> Generation:
        self.last = WatchedGeneration(self._model.generate(messages, options))
        return self.last

    async def warm(self, messages: Sequence[ChatMessage], *, trained: bool = False) -> Usage:
        return await self._model.warm(messages, trained=trained)

    async def snapshot(self) -> Snapshot | None:
        return await self._model.snapshot()

    async def restore(self, snapshot: Snapshot) -> bool:
        return await self._model.restore(snapshot)

    async def close(self) -> None:
        await self._model.close()


class WatchedEmbedder:
    """The same embedder; see `engines.protocols.Embedder`."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._calls: list[tuple[float, float]] = []

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        began = Moment.now().wall_s
        try:
            return await self._embedder.embed(texts)
        finally:
            self._calls.append((began, Moment.now().wall_s))

    async def embed_tokens(self, texts: Sequence[str]) -> list[TextVectors]:
        began = Moment.now().wall_s
        try:
            return await self._embedder.embed_tokens(texts)
        finally:
            self._calls.append((began, Moment.now().wall_s))

    def spent_s(self, since: Moment, until: Moment) -> float:
        """Wall time of the calls that began in between."""
        return sum(
            end - began for began, end in self._calls if since.wall_s <= began < until.wall_s
        )

    async def close(self) -> None:
        await self._embedder.close()
