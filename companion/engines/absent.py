"""What stands in for a model that cannot be loaded, so that everything else keeps working."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.engines.generation import RunningAnswer, TaskSource
from companion.engines.protocols import ChatMessage, Options, Snapshot, TextVectors, Usage
from companion.errors import EngineError


class AbsentModel:
    """A LanguageModel that can only say so. What is said to it is still heard and kept."""

    name = "none"

    def __init__(self, words: str, *, context_tokens: int) -> None:
        """words: its one answer to everything."""
        self._words = words
        self.context_tokens = context_tokens

    def count(self, messages: Sequence[ChatMessage]) -> int:
        """Words: close enough for a prompt that nobody reads."""
        return sum(len(message.text.split()) + 1 for message in messages)

    def generate(self, messages: Sequence[ChatMessage], options: Options) -> RunningAnswer:
        return RunningAnswer(TaskSource(_said(self._words)), Usage(), lambda: "stop")

    async def warm(self, messages: Sequence[ChatMessage], *, trained: bool = False) -> Usage:
        return Usage(finish="stop")

    async def snapshot(self) -> Snapshot | None:
        return None

    async def restore(self, snapshot: Snapshot) -> bool:
        return False

    async def close(self) -> None:
        pass


async def _said(words: str) -> AsyncGenerator[str, None]:
    yield words


class AbsentEmbedder:
    """An Embedder that fails whenever it is asked, with the reason why it is not there."""

    name = "none"
    dimension = 1

    def __init__(self, why: str) -> None:
        self._why = why

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Raises EngineError, always."""
        raise EngineError(self._why)

    async def embed_tokens(self, texts: Sequence[str]) -> list[TextVectors]:
        """Raises EngineError, always."""
        raise EngineError(self._why)

    async def close(self) -> None:
        pass
