"""An older client and a newer daemon, and the other way round: each is told what to do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timezone
from pathlib import Path

import pytest

from companion.clock import ManualClock, SystemClock
from companion.config import Config, ServiceSection
from companion.daemon.client import Client
from companion.daemon.protocol import VERSION, encode
from companion.daemon.requests import REQUESTS
from companion.errors import DaemonError
from companion.web.toy import Daemon
from tests.parents.house import a_house
from tests.web.conftest import opened

KNOWN = (
    3,
    "answer assist audit audit_add backup chat clear_notices correct devices erase erase_now "
    "erasing events export fading forget keep listen memories memory models notices page pause "
    "personality pin_code pin_set pin_state pin_try profile questions restore resume say sessions "
    "set settings sleep status storage today transcript undo wake who",
)
"""The version, and the requests that it has."""


def test_the_version_rises_with_the_requests() -> None:
    version, known = KNOWN
    assert sorted(REQUESTS) == known.split(), "raise protocol.VERSION, and write both down here"
    assert version == VERSION


@pytest.mark.parametrize(
    ("version", "what_to_do"),
    [
        (1, "restart the daemon"),
        (VERSION - 1, "restart the daemon"),
        (VERSION + 1, "update this program"),
        (None, "restart the daemon"),
    ],
)
async def test_a_daemon_of_another_version_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int | None, what_to_do: str
) -> None:
    monkeypatch.setattr("companion.daemon.control.VERSION", version)
    async with a_house(tmp_path, socket="data/control.sock") as house:
        with pytest.raises(DaemonError, match=what_to_do):
            await Client.find(house.config)


async def test_an_older_client_reads_the_version_before_it_asks_anything(tmp_path: Path) -> None:
    """So it was since version 1: a client compares, and says that it has to be updated."""
    async with a_house(tmp_path) as house:
        reader, writer = await asyncio.open_unix_connection(house.client.path)
        assert b'"companion": %d' % VERSION in await reader.readline()
        writer.close()


@asynccontextmanager
async def an_older_daemon(path: Path, data_dir: Path) -> AsyncIterator[list[bytes]]:
    """Greets as version 2 did. Gives what it was asked."""
    asked: list[bytes] = []

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(encode({"companion": 2, "pid": 1, "data_dir": str(data_dir)}))
        asked.append(await reader.read())
        writer.close()

    server = await asyncio.start_unix_server(greet, path)
    try:
        yield asked
    finally:
        server.close()
        await server.wait_closed()


async def test_the_page_says_so_too_and_asks_an_older_daemon_nothing(
    tmp_path: Path,
) -> None:
    clock = ManualClock(datetime(2026, 11, 23, 17, tzinfo=timezone.utc))
    config = Config(data_dir=tmp_path, service=ServiceSection(socket=tmp_path / "s"))
    toy = Daemon(config, SystemClock())
    async with an_older_daemon(tmp_path / "s", tmp_path) as asked, opened(toy, clock) as page:
        answer = await page.get("/pin")
        assert answer.status_code == 503
        assert "restart the daemon after an update" in answer.text
        assert (await page.come_in()).status_code == 503
    assert not any(asked)
