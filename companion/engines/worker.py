"""One thread that owns one blocking engine.

A blocking library (llama.cpp, onnxruntime) is created, used and freed on one thread of its own;
the event loop only awaits it. Two promises make the rest of the program simple:

- Nothing runs unowned. Whoever awaits a piece of work and is cancelled gets its CancelledError
  only after the thread has let go of that piece.
- One call at a time. A stream holds the worker from its first item to its end or its closing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Generic, TypeVar

from companion.engines.cancel import CancelFlag
from companion.errors import EngineError

T = TypeVar("T")


class Worker:
    """Runs blocking functions, one after the other, on a thread called `name`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._turn = asyncio.Lock()
        self._streaming: Stream[Any] | None = None
        self.closed = False

    async def run(
        self, work: Callable[..., T], *args: object, cancel: CancelFlag | None = None
    ) -> T:
        """The result of `work(*args)`, computed on the thread.

        When the awaiting task is cancelled, `cancel` is raised at once and the CancelledError
        follows as soon as the work has returned; its result is dropped.
        Raises what the work raises, and EngineError when the worker is closed.
        """
        async with self._turn:
            self._refuse_when_closed()
            return await self._on_thread(work, *args, cancel=cancel)

    def stream(self, items: Callable[[], Iterator[T]], *, cancel: CancelFlag) -> Stream[T]:
        """Iterate `items()` on the thread, one item per request: the consumer sets the pace."""
        return Stream(self, items, cancel)

    async def close(self, last: Callable[[], None] | None = None) -> None:
        """Stop a running stream, run `last` (free the engine) on the thread, end the thread."""
        if self.closed:
            return
        self.closed = True
        if self._streaming is not None:
            await self._streaming.aclose()
        async with self._turn:
            try:
                if last is not None:
                    await self._on_thread(last)
            finally:
                self._thread.shutdown(wait=False)

    def _refuse_when_closed(self) -> None:
        if self.closed:
            raise EngineError(f"{self.name}: was closed and cannot be used any more")

    async def _on_thread(
        self, work: Callable[..., T], *args: object, cancel: CancelFlag | None = None
    ) -> T:
        future = asyncio.get_running_loop().run_in_executor(self._thread, work, *args)
        cancelled: asyncio.CancelledError | None = None
        while not future.done():
            try:
                # Unlike awaiting the future, this leaves the work running when it is cancelled.
                await asyncio.wait({future})
            except asyncio.CancelledError as error:
                cancelled = error
                if cancel is not None:
                    cancel.set()
        if cancelled is not None:
            future.exception()  # Looked at, so that asyncio does not report it as forgotten.
            raise cancelled
        return future.result()


class Stream(AsyncIterator[T], Generic[T]):
    """Items computed on a worker's thread, pulled one by one.

    `aclose()` (from any task, also while another one waits for an item) raises the cancel flag
    at once, and returns when the thread has closed the iterator and is free.
    """

    def __init__(
        self, worker: Worker, items: Callable[[], Iterator[T]], cancel: CancelFlag
    ) -> None:
        self._worker = worker
        self._items = items
        self._cancel = cancel
        self._iterator: Iterator[T] | None = None
        self._step = asyncio.Lock()
        self.ended = False
        """Nothing more will come."""

    async def __anext__(self) -> T:
        async with self._step:
            if self.ended or self._cancel.is_set:
                await self._end()
                raise StopAsyncIteration
            try:
                if self._iterator is None:
                    await self._begin()
                found = await self._worker._on_thread(self._pull, cancel=self._cancel)
            except BaseException:
                await self._end()
                raise
            # What was computed while the flag was being raised is not wanted any more.
            if not found or self._cancel.is_set:
                await self._end()
                raise StopAsyncIteration
            return found[0]

    async def aclose(self) -> None:
        """Stop now. Calling twice, or on a stream never read, is harmless."""
        self._cancel.set()
        async with self._step:
            await self._end()

    async def _begin(self) -> None:
        await self._worker._turn.acquire()
        self._worker._streaming = self
        self._worker._refuse_when_closed()
        self._iterator = self._items()

    def _pull(self) -> tuple[()] | tuple[T]:
        assert self._iterator is not None
        for item in self._iterator:
            return (item,)
        return ()

    async def _end(self) -> None:
        """Close the iterator on its thread and pass the worker on."""
        self.ended = True
        if self._worker._streaming is not self:
            return
        try:
            close = getattr(self._iterator, "close", None)
            if close is not None:
                await self._worker._on_thread(close)
        finally:
            self._worker._streaming = None
            self._worker._turn.release()
