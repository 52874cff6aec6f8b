"""A page over a fake toy, on a port of this machine, and a browser's part by hand."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest

from companion.clock import ManualClock
from companion.config import Config, WebSection
from companion.web import door, listening
from companion.web.site import PAGES, site
from companion.web.toy import Toy
from tests.web.fake_toy import PIN, FakeToy

LOOK = [path for path in PAGES if "{" not in path and path not in ("/talk", "/toy/export")]
LOOK += ["/memories/1", "/talk?id=2026-11-23-1"]
"""Every page that there is."""


class Page:
    """One browser: keeps its cookie, and sends the forms of the page it is on."""

    def __init__(self, port: int, clock: ManualClock) -> None:
        self.port, self.clock = port, clock
        self.origin = f"http://127.0.0.1:{port}"
        self.http = httpx.AsyncClient(base_url=self.origin, trust_env=False, timeout=10)
        self.token = ""

    async def get(self, path: str, **options: Any) -> httpx.Response:
        answer = await self.http.get(path, **options)
        found = re.search(r'name="token" value="([^"]+)"', answer.text)
        self.token = unescape(found[1]) if found else self.token
        return answer

    async def post(
        self, path: str, form: dict[str, str] | None = None, *, origin: str | None = "", **more: Any
    ) -> httpx.Response:
        """origin: the page's own when empty; None: none is sent."""
        headers = dict(more.pop("headers", {}))
        if origin is not None:
            headers.setdefault("origin", origin or self.origin)
        data = {"token": self.token} | (form or {})
        return await self.http.post(path, data=data, headers=headers, **more)

    async def search(self, words: str) -> httpx.Response:
        """Where the memories with these words are."""
        form = {"q": words, "kind": "", "status": "active"}
        return await self.post("/memories/search", form)

    async def come_in(self, pin: str = PIN) -> httpx.Response:
        answer = await self.post("/pin", {"pin": pin})
        if answer.status_code == 303:
            await self.get("/")
        return answer


Open = Callable[..., Any]


@asynccontextmanager
async def opened(
    toy: Toy, clock: ManualClock, section: WebSection | None = None
) -> AsyncIterator[Page]:
    section = section or WebSection()
    config = Config(data_dir=Path("/nonexistent"), web=section)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    task = asyncio.create_task(listening.serve(site(config, clock, toy), section, [listener]))
    page = Page(port, clock)
    try:
        yield page
    finally:
        await page.http.aclose()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        listener.close()


@pytest.fixture
def toy() -> FakeToy:
    return FakeToy()


@pytest.fixture
def clock() -> ManualClock:
    from datetime import datetime, timezone

    return ManualClock(datetime(2026, 11, 23, 17, tzinfo=timezone.utc))


@pytest.fixture
async def page(toy: FakeToy, clock: ManualClock) -> AsyncIterator[Page]:
    """Nobody is in yet."""
    async with opened(toy, clock) as found:
        yield found


@pytest.fixture
async def inside(page: Page) -> Page:
    """A parent who has given the PIN."""
    await page.come_in()
    return page


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many requests at once are no attack here."""
    monkeypatch.setattr(door, "ASKS", 100_000)


async def raw(page: Page, request: str) -> tuple[int, str, bytes]:
    """Status, head and body of an answer to bytes that no library would send."""
    reader, writer = await asyncio.open_connection("127.0.0.1", page.port)
    writer.write(request.encode())
    answer = await asyncio.wait_for(rest_of(reader), 5)
    writer.close()
    await writer.wait_closed()
    head, _, body = answer.partition(b"\r\n\r\n")
    found = re.match(rb"HTTP/1.1 (\d+)", head)
    assert found is not None
    return int(found[1]), head.decode(), body


async def rest_of(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionError:
        return b""
