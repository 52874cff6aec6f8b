"""The control socket: who may open the file may ask. Nobody who asks can harm the others.

A line has a longest length, a client that does not speak or does not read a longest time, and
their number is bounded. Group and owner may connect (mode 0660), and nobody else.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

from companion.daemon.journal import place
from companion.daemon.protocol import LIVE, LONGEST, VERSION, decode, encode, failure, short
from companion.errors import CompanionError, InputError, StoreBusy, StoreError

logger = logging.getLogger(__name__)

Event = dict[str, Any]
Answer = Callable[[Event], AsyncGenerator[Event, None]]
"""From a request to its events."""

MOST_CLIENTS = 16
PATIENCE_S = 10.0
"""A client that neither asks nor reads for so long is let go."""

LIVE_PATIENCE_S = 2.0
LIVE_BYTES = 4096
"""The same for what happens right now, and what may wait for such a client in this process."""


class Control:
    """Listens from `open` to `close`."""

    def __init__(self, path: Path, data_dir: Path, answer: Answer) -> None:
        self.path = path
        self._answer = answer
        self._hello = {"companion": VERSION, "pid": os.getpid(), "data_dir": str(data_dir)}
        self._clients: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Listen. A socket that a killed daemon left behind is replaced.

        Raises StoreBusy when somebody answers there, StoreError when it cannot be made.
        """
        with short(self.path) as name:
            if await _somebody_listens(name):
                raise StoreBusy(
                    f"{self.path}: another companion listens there: stop it, or set service.socket"
                )
            try:
                # asyncio removes a socket that stands in the way, and nothing but a socket.
                self._server = await asyncio.start_unix_server(self._welcome, name, limit=LONGEST)
                os.chmod(name, 0o660)
            except OSError as error:
                reason = error.strerror or "something else is there"
                raise StoreError(f"{self.path}: cannot listen there: {reason}") from None

    async def close(self) -> None:
        """Listen no more; whoever still waits for an answer is let go."""
        if self._server is not None:
            self._server.close()
            with contextlib.suppress(OSError):
                self.path.unlink()
        for client in self._clients:
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = asyncio.current_task()
        assert client is not None
        crowded = len(self._clients) >= MOST_CLIENTS
        self._clients.add(client)
        try:
            if crowded:
                writer.write(encode(failure(StoreBusy("too many ask at once: try again later"))))
            else:
                await self._serve(reader, writer)
        except (OSError, asyncio.TimeoutError):
            writer.transport.abort()
        except asyncio.CancelledError:
            # The daemon stops: to asyncio's streams a task that ends so is a defect.
            writer.transport.abort()
        finally:
            self._clients.discard(client)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _send(writer, self._hello)
        try:
            line = await asyncio.wait_for(reader.readline(), PATIENCE_S)
        except ValueError:
            await _send(writer, failure(InputError(f"longer than {LONGEST:,} bytes")))
            return
        if not line:
            return
        answering = asyncio.create_task(self._tell(line, writer))
        # It has nothing more to say: a byte breaks the rules, and an end takes the request back.
        gone = asyncio.create_task(reader.read(1))
        try:
            await asyncio.wait({answering, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (answering, gone):
                task.cancel()
            await asyncio.wait({answering, gone})
        if not answering.cancelled():
            answering.result()

    async def _tell(self, line: bytes, writer: asyncio.StreamWriter) -> None:
        try:
            request, patience_s = decode(line), PATIENCE_S
            if request.get("do") in LIVE:
                patience_s = LIVE_PATIENCE_S
                writer.transport.set_write_buffer_limits(high=LIVE_BYTES)
            async with aclosing(self._answer(request)) as events:
                async for event in events:
                    await _send(writer, event, patience_s)
        except CompanionError as error:
            await _send(writer, failure(error))
        except (OSError, asyncio.TimeoutError):
            raise
        except Exception as error:  # a defect: the request fails, the toy lives on
            logger.exception("a request met a defect")
            defect = f"unexpected {place(type(error), error.__traceback__)}; please report it"
            await _send(writer, failure(CompanionError(defect)))


async def _send(writer: asyncio.StreamWriter, event: Event, patience_s: float = PATIENCE_S) -> None:
    """Raises asyncio.TimeoutError when the other side does not read."""
    writer.write(encode(event))
    await asyncio.wait_for(writer.drain(), patience_s)


async def _somebody_listens(name: str) -> bool:
    try:
        _, writer = await asyncio.open_unix_connection(name)
    except OSError:
        return False
    writer.close()
    return True
