"""The toy behind the page: its daemon, asked over the control socket."""

from __future__ import annotations

import asyncio
import contextlib
import os
from contextlib import aclosing
from pathlib import Path
from typing import Any, Protocol

from companion.clock import Clock
from companion.config import Config
from companion.daemon.client import Client
from companion.errors import CompanionError, DaemonError

AT_ONCE = 2
"""Requests that wait for the daemon at once: the child's talk comes first."""

AGAIN_S = 10.0
"""So often it is looked whether a toy has been switched on."""

SWITCHED_OFF = "the toy is switched off or starting: its memories can be looked at, not changed"

HIDDEN = (
    "it is switched off or still starting, and its memories cannot be read without it; please try "
    "again in a minute"
)
"""The files are not this process's to read: the rule under systemd."""


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

    def __init__(self, config: Config, clock: Clock) -> None:
        self._config, self._clock = config, clock
        self._room = asyncio.Semaphore(AT_ONCE)
        self._met = asyncio.Event()
        """A daemon was there when a page asked."""

    async def is_on(self) -> bool:
        async with self._room:
            return await self._find() is not None

    async def ask(self, do: str, **details: Any) -> Any:
        async with self._room:
            client = await self._find()
            if client is not None:
                return await client.ask(do, **details)
            return await self._read(do, details)

    async def show(self) -> None:
        """Let the toy know that its page is on, until cancelled; also one that starts later."""
        while True:
            with contextlib.suppress(CompanionError):
                client = await Client.find(self._config)
                if client is not None:
                    async with aclosing(client.events("page")) as events:
                        async for _ in events:
                            pass
            self._met.clear()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._met.wait(), AGAIN_S)

    async def _find(self) -> Client | None:
        client = await Client.find(self._config)
        if client is not None:
            self._met.set()
        return client

    async def _read(self, do: str, details: dict[str, Any]) -> Any:
        """Imported late: beside a daemon this process needs neither store nor models."""
        from companion.assembly.store import open_store
        from companion.parents import READS

        read = READS.get(do)
        if read is None:
            raise DaemonError(SWITCHED_OFF)
        if _is_hidden(self._config.data_dir):
            raise DaemonError(HIDDEN)
        async with open_store(self._config, self._clock, mode="reader") as store:
            return await read(store, self._config, self._clock, details)


def _is_hidden(folder: Path) -> bool:
    """Whether it is there and may not be looked into."""
    try:
        os.listdir(folder)
    except PermissionError:
        return True
    except OSError:
        return False
    return False
