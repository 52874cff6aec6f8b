"""A running answer as the rest of the program sees it, over any source of pieces."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Protocol

from companion.engines.protocols import Finish, Usage


class Source(Protocol):
    """Pieces that can be stopped at once, by any task."""

    async def __anext__(self) -> str: ...

    async def aclose(self) -> None: ...


@dataclass(eq=False)
class RunningAnswer:
    """Times an answer and records how it ended; see `protocols.Generation`."""

    _source: Source
    usage: Usage
    _why_stopped: Callable[[], Finish] = lambda: "cancelled"
    """How an answer finished that did not say so itself."""

    def __post_init__(self) -> None:
        self._started = time.monotonic()
        self._ended = False

    def __aiter__(self) -> RunningAnswer:
        return self

    async def __anext__(self) -> str:
        try:
            piece = await self._source.__anext__()
        except BaseException:  # The end, an error or a cancellation: all of them end it.
            self._end()
            raise
        self.usage.total_s = time.monotonic() - self._started
        self.usage.ttft_s = self.usage.ttft_s or self.usage.total_s
        return piece

    async def aclose(self) -> None:
        await self._source.aclose()
        self._end()

    def _end(self) -> None:
        if self._ended:
            return
        self._ended = True
        self.usage.total_s = time.monotonic() - self._started
        if self.usage.finish == "running":
            self.usage.finish = self._why_stopped()


class TaskSource:
    """An async generator that may be closed while another task waits for its next piece.

    A generator itself refuses that. Each step is a task of its own here, which closing cancels.
    """

    def __init__(self, pieces: AsyncGenerator[str, None]) -> None:
        self._pieces = pieces
        self._step: asyncio.Task[str] | None = None
        self._closing = False

    async def __anext__(self) -> str:
        if self._closing:
            raise StopAsyncIteration
        self._step = step = asyncio.ensure_future(_next(self._pieces))
        try:
            await asyncio.wait({step})
        except asyncio.CancelledError:
            await self.aclose()
            raise
        if step.cancelled():
            raise StopAsyncIteration
        return step.result()

    async def aclose(self) -> None:
        self._closing = True
        if self._step is not None and not self._step.done():
            self._step.cancel()
            await asyncio.wait({self._step})
        await self._pieces.aclose()


async def _next(pieces: AsyncGenerator[str, None]) -> str:
    return await pieces.__anext__()
