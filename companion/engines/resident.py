"""A blocking engine that stays loaded, with the thread that owns it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from companion.engines.worker import Worker

E = TypeVar("E")
R = TypeVar("R")


class Resident(Generic[E]):
    """Made, used and freed on a thread of its own; see `worker`."""

    def __init__(self, worker: Worker, engine: E) -> None:
        self._worker = worker
        self._engine: E | None = engine

    @classmethod
    async def load(cls, thread: str, make: Callable[..., E], *args: object) -> Resident[E]:
        """The engine that `make` gives. thread: its name. Raises what `make` raises."""
        worker = Worker(thread)
        try:
            return cls(worker, await worker.run(make, *args))
        except BaseException:
            await worker.close()
            raise

    @property
    def engine(self) -> E:
        """For what of it may be looked at from any thread; not once it is closed."""
        assert self._engine is not None, "the worker refuses work once it is closed"
        return self._engine

    async def run(self, work: Callable[..., R], *args: object) -> R:
        """The result of `work(engine, *args)`. Raises EngineError once it is closed."""
        return await self._worker.run(self._run, work, *args)

    async def close(self) -> None:
        """Free the engine. Calling twice is harmless."""
        await self._worker.close(self._free)

    def _run(self, work: Callable[..., R], *args: object) -> R:
        return work(self.engine, *args)

    def _free(self) -> None:
        self._engine = None
