"""Too much, too slow, too many, and from too far away: all are refused."""

from __future__ import annotations

import asyncio
import socket
import time
from ipaddress import IPv6Address
from typing import Any

import pytest

from companion.config import WebSection
from companion.web import connections, door
from companion.web.names import is_near
from tests.web.conftest import Page, raw, rest_of
from tests.web.fake_toy import FakeToy
from tests.web.shapes import memory


async def test_a_form_of_a_megabyte_is_refused(inside: Page, toy: FakeToy) -> None:
    before = toy.changes()
    answer = await inside.post("/memories/correct", {"id": "1", "text": "x" * 1_000_000})
    assert answer.status_code == 413
    chunks = b"text=" + b"x" * 300_000

    async def stream() -> Any:
        yield chunks

    headers = {
        "origin": inside.origin,
        "content-type": "application/x-www-form-urlencoded",
    }
    answer = await inside.http.post("/memories/correct", content=stream(), headers=headers)
    assert answer.status_code == 413, "also when it does not say how long it is"
    assert toy.changes() == before


async def test_a_form_of_many_fields_is_refused(inside: Page) -> None:
    fields = {f"f{number}": "x" for number in range(1000)}
    assert (await inside.post("/memories/keep", fields)).status_code == 400


async def test_a_long_memory_still_fits(inside: Page, toy: FakeToy) -> None:
    text = "ß" * 16_000
    assert (await inside.post("/memories/correct", {"id": "1", "text": text})).status_code == 303
    assert toy.memories[4]["text"] == text


async def test_who_asks_too_often_has_to_wait(page: Page) -> None:
    answers = [(await page.get("/static/icon.svg")).status_code for _ in range(door.ASKS + 5)]
    assert answers[-1] == 429
    page.clock.advance(door.WITHIN_S)
    assert (await page.get("/static/icon.svg")).status_code == 200


async def test_a_head_that_never_ends_is_cut(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "FIRST_S", 0.3)
    reader, writer = await asyncio.open_connection("127.0.0.1", page.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
    assert await asyncio.wait_for(rest_of(reader), 3) == b""
    writer.close()
    await writer.wait_closed()


async def test_a_form_that_never_ends_is_cut(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "PATIENCE_S", 0.3)
    head = (
        f"POST /pin HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\nOrigin: {page.origin}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\npin="
    )
    status, _, _ = await raw(page, head)
    assert status == 408


async def test_who_does_not_read_is_cut(
    inside: Page, toy: FakeToy, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed_s = connections.LONGEST_S
    monkeypatch.setattr(connections, "LONGEST_S", 0.5)
    toy.memories = {n: memory(n, "x" * 16_000) for n in range(1, 400)}
    while connections._held:  # noqa: ASYNC110 - until the last page's connection has gone
        await asyncio.sleep(0.01)
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.connect(("127.0.0.1", inside.port))
    while not connections._held:  # noqa: ASYNC110 - until it is let in, with its half second
        await asyncio.sleep(0.01)
    monkeypatch.setattr(connections, "LONGEST_S", allowed_s)
    cookie = inside.http.cookies["companion"]
    slow.send(
        f"GET /toy/export HTTP/1.1\r\nHost: 127.0.0.1:{inside.port}\r\n"
        f"Cookie: companion={cookie}\r\n\r\n".encode()
    )
    assert (await inside.get("/who")).status_code == 200, "others are served meanwhile"
    await asyncio.sleep(1)
    slow.settimeout(5)

    def rest() -> int:
        got = 0
        try:
            while piece := slow.recv(1 << 20):
                got += len(piece)
        except ConnectionError:
            pass
        return got

    assert await asyncio.to_thread(rest) < 6_000_000, "of thirteen megabytes"
    slow.close()


async def test_two_hundred_connections_leave_room_for_others(
    inside: Page, toy: FakeToy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_OF_ONE", 40)
    held = []
    for _ in range(200):
        held.append(await asyncio.open_connection("127.0.0.1", inside.port))
    await asyncio.sleep(0.2)
    alive = sum(not reader.at_eof() and reader.exception() is None for reader, _ in held)
    assert alive <= 40, "one device holds no more"
    before = len(toy.asked)
    for _, writer in held[40:]:
        writer.close()
    monkeypatch.setattr(connections, "MOST_OF_ONE", 60)  # another device, as it were
    began = time.monotonic()
    assert (await inside.get("/who")).status_code == 200
    assert time.monotonic() - began < 2
    assert len(toy.asked) - before <= 4, "nobody who has not come in reaches the toy"
    for _, writer in held:
        writer.close()
    await asyncio.gather(*(writer.wait_closed() for _, writer in held), return_exceptions=True)


# ---- the house's network


async def test_without_web_lan_other_devices_are_refused() -> None:
    for here, status in (("192.168.1.20", 403), ("127.0.0.1", 200)):
        assert await through_the_door(WebSection(), here, "192.168.1.7") == status
    assert await through_the_door(WebSection(lan=True), "192.168.1.20", "192.168.1.7") == 200


async def test_from_outside_of_the_home_nobody_is_let_in() -> None:
    assert await through_the_door(WebSection(lan=True), "192.168.1.20", "8.8.8.8") == 403
    here, beside, outside = (
        IPv6Address(each) for each in ("2a02:1:2:3::20", "2a02:1:2:3::7", "2a02:1:2:4::7")
    )
    assert is_near(beside, here)
    assert not is_near(outside, here)


async def through_the_door(section: WebSection, here: str, peer: str) -> int:
    """The status of a request that came in there, from that address."""

    async def page(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "path": "/",
        "headers": [(b"host", f"{here}:8722".encode())],
        "server": (here, 8722),
        "client": (peer, 50_000),
    }
    await door.Door(page, section, lambda: 0.0)(scope, receive, send)
    return int(sent[0]["status"])
