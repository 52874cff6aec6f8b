"""The other end of the control socket: what `companion status`, `chat` and the like speak."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.config import Config
from companion.daemon.protocol import (
    LONGEST_ANSWER,
    VERSION,
    decode,
    encode,
    failure_of,
    short,
    sockets,
)
from companion.errors import DaemonError, StoreError

HELLO_S = 10.0


@dataclass(frozen=True)
class Client:
    """Asks one daemon; a connection for each request."""

    path: Path
    pid: int

    @classmethod
    async def find(cls, config: Config) -> Client | None:
        """The daemon that owns the data directory; None when none runs.

        Raises DaemonError when it speaks another version, or may not be spoken with.
        """
        for path in sockets(config):
            try:
                hello = await _hello(path)
            except PermissionError:
                if config.service.socket is None and _is_ours(config.data_dir):
                    continue  # The service's, say: it serves another data directory.
                raise DaemonError(
                    f"{path}: may not be opened: be in the group of this socket, or be its owner; "
                    "if the service owns it: sudo companion"
                ) from None
            if hello is None or not _same(Path(str(hello.get("data_dir"))), config.data_dir):
                continue
            if (theirs := hello.get("companion")) != VERSION:
                newer = isinstance(theirs, int) and theirs > VERSION
                raise DaemonError(
                    f"{path}: the daemon speaks version {theirs} of the control protocol, this "
                    f"program {VERSION}: "
                    + ("update this program" if newer else "restart the daemon after an update")
                )
            return cls(path, int(hello["pid"]))
        return None

    async def events(self, do: str, **details: Any) -> AsyncGenerator[dict[str, Any], None]:
        """Everything that is answered; the last event has `done`. Closing it takes the request
        back. Raises what the daemon met; DaemonError when it has gone."""
        reader, writer = await _connect(self.path)
        try:
            hello = await _line(reader)
            if "error" in hello:
                raise failure_of(hello)
            writer.write(encode({"do": do, **details}))
            while True:
                event = await _line(reader)
                if "error" in event:
                    raise failure_of(event)
                yield event
                if "done" in event:
                    return
        except (OSError, EOFError):
            raise DaemonError(
                f"{self.path}: the daemon has gone; `companion status` tells how it fares"
            ) from None
        finally:
            writer.transport.abort()

    async def ask(self, do: str, **details: Any) -> Any:
        """The `done` of a request; of a long document, its parts put together."""
        result, parts = None, []
        async with aclosing(self.events(do, **details)) as events:
            async for event in events:
                result = event.get("done")
                if "part" in event:
                    parts.append(str(event["text"]))
        return json.loads("".join(parts)) if parts else result


async def _hello(path: Path) -> dict[str, Any] | None:
    """What a daemon says first; None when nobody listens there. Raises DaemonError,
    PermissionError."""
    try:
        reader, writer = await _connect(path)
    except (FileNotFoundError, ConnectionError, StoreError):
        return None
    except PermissionError:
        raise
    except OSError as error:
        raise DaemonError(f"{path}: {error.strerror}") from None
    try:
        hello = await asyncio.wait_for(_line(reader), HELLO_S)
    except (OSError, EOFError):
        return None
    except asyncio.TimeoutError:
        raise DaemonError(
            f"{path}: the daemon does not answer; `systemctl restart companion` helps"
        ) from None
    finally:
        writer.transport.abort()
    if "error" in hello:
        raise failure_of(hello)
    return hello


async def _connect(path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    with short(path) as name:
        return await asyncio.open_unix_connection(name, limit=LONGEST_ANSWER)


async def _line(reader: asyncio.StreamReader) -> dict[str, Any]:
    """Raises EOFError when the other side has closed."""
    line = await reader.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    return decode(line)


def _is_ours(directory: Path) -> bool:
    """Whether we could own the store in it, or make it there."""
    try:
        return os.access(directory, os.R_OK | os.W_OK | os.X_OK) or not directory.exists()
    except OSError:
        return False


def _same(one: Path, other: Path) -> bool:
    return one.resolve() == other.expanduser().resolve()
