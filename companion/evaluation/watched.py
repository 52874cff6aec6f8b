"""A language model that notes what its last answer cost, to measure what stands around it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engines.protocols import (
    ChatMessage,
    Generation,
    LanguageModel,
    Options,
    Snapshot,
    Usage,
)


class WatchedModel:
    """The same model; see `engines.protocols.LanguageModel`."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.last = Usage()
        """Of the newest answer; complete once it has ended."""

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def context_tokens(self) -> int:
        return self._model.context_tokens

    def count(self, messages: Sequence[ChatMessage]) -> int:
        return self._model.count(messages)

    def generate(self, messages: Sequence[ChatMessage], options: Options) -> Generation:
        generation = self._model.generate(messages, options)
        self.last = generation.usage
        return generation

    async def warm(self, messages: Sequence[ChatMessage]) -> Usage:
        return await self._model.warm(messages)

    async def snapshot(self) -> Snapshot | None:
        return await self._model.snapshot()

    async def restore(self, snapshot: Snapshot) -> bool:
        return await self._model.restore(snapshot)

    async def close(self) -> None:
        await self._model.close()
