"""A blocking engine that stays loaded, with a name and the thread that owns it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from companion.engines.worker import Worker

E = TypeVar("E")
R = TypeVar("R")
S = TypeVar("S", bound="Resident[Any]")


class Resident(Generic[E]):
    """Made, used and freed on a thread of its own; see `worker`."""

    def __init__(self, worker: Worker, engine: E, name: str) -> None:
        self.name = name
        self._worker = worker
        self._engine: E | None = engine

    @classmethod
    async def start(cls: type[S], kind: str, name: str, make: Callable[..., E], *args: object) -> S:
        """The engine that `make` gives. kind: of engine, for the thread's name. Raises what `make`
        raises."""
        worker = Worker(f"{kind} {name}")
        try:
            return cls(worker, await worker.run(make, *args), name)
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
        return await self._worker.run(lambda: work(self.engine, *args))

    async def close(self) -> None:
        """Free the engine. Calling twice is harmless."""
        await self._worker.close(self._free)

    def _free(self) -> None:
        self._engine = None
