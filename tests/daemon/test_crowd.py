"""More clients than the daemon serves at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from companion.daemon.client import Client
from companion.daemon.control import MOST_CLIENTS, Control, Event
from companion.daemon.protocol import short
from companion.errors import StoreBusy


async def test_who_comes_when_it_is_crowded_is_told_so(tmp_path: Path) -> None:
    """Also who found the daemon well before: it has not gone."""

    async def answer(request: Event) -> AsyncGenerator[Event, None]:
        yield {"done": request["do"]}

    path = tmp_path / "control.sock"
    control = Control(path, tmp_path, answer)
    await control.open()
    client = Client(path, 1)
    try:
        with short(path) as name:
            crowd = [await asyncio.open_unix_connection(name) for _ in range(MOST_CLIENTS)]
        for reader, _ in crowd:
            await reader.readline()
        with pytest.raises(StoreBusy, match="too many ask at once"):
            await client.ask("status")
        for _, writer in crowd:
            writer.close()
    finally:
        await control.close()
