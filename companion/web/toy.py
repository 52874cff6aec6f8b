"""The toy behind the page: its daemon, asked over the control socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from companion.clock import Clock
from companion.config import Config
from companion.daemon.client import Client
from companion.errors import DaemonError

AT_ONCE = 2
"""Requests that wait for the daemon at once: the child's talk comes first."""

SWITCHED_OFF = "the toy is switched off or starting: its memories can be looked at, not changed"


class Toy(Protocol):
    """Whoever can be asked for the documents of `companion.parents`."""

    async def ask(self, do: str, **details: Any) -> Any:
        """The document of a request. Raises CompanionError: DaemonError when nobody is there to
        change anything."""

    async def is_on(self) -> bool:
        """Whether anything can be changed now."""


class Daemon:
    """The toy of one configuration. While its daemon is down, and where the files may be read at
    all, reads come from the store."""

    def __init__(
        self, config: Config, clock: Clock, *, tell: Callable[[Client], Any] | None = None
    ) -> None:
        """tell: awaited for each daemon that is met for the first time."""
        self._config, self._clock, self._tell = config, clock, tell
        self._met: int | None = None
        self._room = asyncio.Semaphore(AT_ONCE)

    async def is_on(self) -> bool:
        async with self._room:
            return await self._find() is not None

    async def ask(self, do: str, **details: Any) -> Any:
        async with self._room:
            client = await self._find()
            if client is not None:
                return await client.ask(do, **details)
            return await self._read(do, details)

    async def _find(self) -> Client | None:
        client = await Client.find(self._config)
        if client is not None and client.pid != self._met:
            self._met = client.pid
            if self._tell is not None:
                await self._tell(client)
        return client

    async def _read(self, do: str, details: dict[str, Any]) -> Any:
        """Imported late: beside a daemon this process needs neither store nor models."""
        from companion.assembly.store import open_store
        from companion.parents import READS

        read = READS.get(do)
        if read is None:
            raise DaemonError(SWITCHED_OFF)
        async with open_store(self._config, self._clock, mode="reader") as store:
            return await read(store, self._config, self._clock, details)
