"""What somebody in the house, or a site that a parent visits, may try. One test for each."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import time
from html.parser import HTMLParser
from ipaddress import IPv6Address
from typing import Any

import pytest

from companion.clock import ManualClock
from companion.config import WebSection
from companion.web import connections, door
from companion.web.names import address, is_near, is_ours
from companion.web.site import CHANGES
from tests.web.conftest import LOOK, Page, opened
from tests.web.fake_toy import FakeToy, memory

MARKUP = "\"><script>alert(1)</script><img src=x onerror=alert(2)>' onload='x"


class Tags(HTMLParser):
    """Every tag of a page, with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def only_our_markup(text: str) -> None:
    assert "alert(1)" in text, "it is shown, as text"
    for tag, attributes in Tags(text).found:
        assert tag not in ("img", "iframe", "object")
        assert tag != "script" or attributes == {"src": "/static/narrow.js", "defer": None}
        assert not [name for name in attributes if name.startswith("on")]


# ---- names and origins


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1:1", "127.0.0.1.evil.example:{port}", ""],
)
async def test_another_host_is_refused(host: str, page: Page, toy: FakeToy) -> None:
    """A stranger's name that points here (DNS rebinding)."""
    answer = await page.get("/pin", headers={"host": host.format(port=page.port)})
    assert answer.status_code == 421
    assert toy.asked == []


async def test_names_of_the_configuration_are_let_in(toy: FakeToy, clock: ManualClock) -> None:
    async with opened(toy, clock, WebSection(hosts=("Toy.home",))) as page:
        for name in ("toy.home", "localhost", "127.0.0.1"):
            headers = {"host": f"{name}:{page.port}"}
            assert (await page.get("/pin", headers=headers)).status_code == 200


def test_a_name_fits_its_address_port_and_scheme() -> None:
    here = address("::ffff:192.168.1.20")
    assert here is not None
    assert is_ours("192.168.1.20:8722", here, 8722, "http", ())
    assert is_ours("192.168.1.20", here, 443, "https", ())
    assert not is_ours("localhost:8722", here, 8722, "http", ())
    assert not is_ours("192.168.1.21:8722", here, 8722, "http", ())
    assert not is_ours("[::1", here, 80, "http", ())
    assert not is_ours("192.168.1.20:٨٧٢٢", here, 8722, "http", ())


@pytest.mark.parametrize("origin", ["http://evil.example", "null", None, "https://127.0.0.1"])
async def test_another_origin_changes_nothing(
    origin: str | None, inside: Page, toy: FakeToy
) -> None:
    before = toy.changes()
    answer = await inside.post("/memories/erase", {"id": "1"}, origin=origin)
    assert answer.status_code == 403
    assert toy.changes() == before
    assert (await inside.post("/pin", {"pin": "1"}, origin=origin)).status_code == 403


async def test_a_form_of_another_kind_is_refused(inside: Page, toy: FakeToy) -> None:
    for kind in ("text/plain", "application/json", "multipart/form-data; boundary=x"):
        headers = {"content-type": kind}
        answer = await inside.post("/memories/erase", {"id": "1"}, headers=headers)
        assert answer.status_code == 415
    assert 1 in toy.memories


# ---- tokens and methods


@pytest.mark.parametrize("path", list(CHANGES))
async def test_without_its_token_no_form_changes_anything(
    path: str, inside: Page, toy: FakeToy
) -> None:
    before = toy.changes()
    for token in ("", "x" * 43, "é"):
        inside.token = token
        form = {"id": "1", "session": "2026-11-23-1", "turn": "1", "typed": "forget everything"}
        assert (await inside.post(path, form)).status_code == 403
    assert toy.changes() == before


async def test_the_token_of_another_session_does_not_fit(
    inside: Page, toy: FakeToy, clock: ManualClock
) -> None:
    async with opened(toy, clock) as other:
        await other.come_in()
        inside.token = other.token
        assert (await inside.post("/memories/keep", {"id": "1"})).status_code == 403


@pytest.mark.parametrize("path", list(CHANGES))
async def test_no_get_changes_anything(path: str, inside: Page, toy: FakeToy) -> None:
    before = toy.changes()
    answer = await inside.get(path, params={"id": "1", "token": inside.token})
    assert answer.status_code in (404, 405)
    assert toy.changes() == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
async def test_other_methods_are_refused(method: str, inside: Page) -> None:
    assert (await inside.http.request(method, "/")).status_code == 405


# ---- paths and headers


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../config.yaml",
        "/static/%2e%2e/%2e%2e/config.yaml",
        "/static/..%2f..%2fsite.py",
        "/static//etc/passwd",
        "/static/style.css%00.html",
        "/../../etc/passwd",
    ],
)
async def test_no_path_leads_out_of_the_package(path: str, page: Page) -> None:
    status, _, body = await raw(page, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\n\r\n")
    assert status == 404
    assert len(body) < 100


async def test_headers_cannot_be_injected(inside: Page, toy: FakeToy) -> None:
    toy.sessions = ["x\r\nSet-Cookie: a=b"]
    toy.turns = {toy.sessions[0]: []}
    answer = await inside.post("/talk/unlock", {"session": toy.sessions[0], "pin": "1"})
    assert answer.status_code == 303
    assert "set-cookie" not in answer.headers
    answer = await inside.post("/memories/keep", {"id": "1", "back": "//evil.example\r\nX: y"})
    assert answer.headers["location"] == "/memories"
    assert "x" not in answer.headers


async def test_every_answer_bears_the_policies(inside: Page) -> None:
    for path in ("/", "/pin", "/static/style.css", "/nowhere", "/memories/9999"):
        headers = (await inside.get(path)).headers
        assert headers["content-security-policy"] == door.POLICY
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "server" not in headers


# ---- what was said


@pytest.mark.parametrize("path", LOOK)
async def test_markup_in_anything_stored_is_shown_as_text(
    path: str, inside: Page, toy: FakeToy
) -> None:
    """In memory, quote, name, session id, topic, settings, file names, what is being erased."""
    hostile = memory(1, MARKUP, kind=MARKUP)
    hostile["sources"][0] |= {"session": MARKUP, "quote": MARKUP}
    toy.memories = {1: hostile}
    toy.name = {"value": MARKUP, "source": hostile["sources"][0]}
    toy.sessions = [MARKUP]
    turn = toy.turn(1, MARKUP, MARKUP, MARKUP)
    toy.turns = {MARKUP: [turn], "2026-11-23-1": [toy.turn(2, MARKUP, MARKUP)]}
    toy.notice_list[0]["topic"] = MARKUP
    toy.pending = [{"id": 1, "what": MARKUP, "shown_as": MARKUP, "due_in_s": 9}]
    toy.set = {"service.minutes_a_day": MARKUP}
    only_our_markup((await inside.get(path)).text)


async def test_markup_in_the_search_is_shown_as_text(inside: Page) -> None:
    only_our_markup((await inside.get("/memories", params={"q": MARKUP})).text)


async def test_markup_in_an_error_is_shown_as_text(inside: Page, toy: FakeToy) -> None:
    from companion.errors import InputError

    toy.fails = InputError(MARKUP)
    only_our_markup((await inside.post("/memories/keep", {"id": "1"})).text)


async def test_no_word_and_no_pin_reaches_a_log(
    inside: Page, toy: FakeToy, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    toy._today = None  # type: ignore[assignment]
    secret = "Zanzibar"
    toy.memories[1]["text"] = secret
    await inside.get("/memories", params={"q": secret})
    await inside.get("/")
    await inside.post("/memories/correct", {"id": "1", "text": secret})
    await inside.come_in("777333")
    ours = [each for each in caplog.records if not each.name.startswith(("httpx", "httpcore"))]
    text = "\n".join(each.getMessage() + str(each.exc_info or "") for each in ours)
    assert "unexpected TypeError at" in text, "a defect is told by its place"
    assert secret not in text
    assert "777333" not in text


# ---- too much, too slow, too many


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
    assert await asyncio.wait_for(_rest(reader), 3) == b""
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
    monkeypatch.setattr(connections, "LONGEST_S", 0.5)
    toy.memories = {n: memory(n, "x" * 16_000) for n in range(1, 400)}
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.connect(("127.0.0.1", inside.port))
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


async def raw(page: Page, request: str) -> tuple[int, str, bytes]:
    """Status, head and body of an answer to bytes that no library would send."""
    reader, writer = await asyncio.open_connection("127.0.0.1", page.port)
    writer.write(request.encode())
    answer = await asyncio.wait_for(_rest(reader), 5)
    writer.close()
    await writer.wait_closed()
    head, _, body = answer.partition(b"\r\n\r\n")
    found = re.match(rb"HTTP/1.1 (\d+)", head)
    assert found is not None
    return int(found[1]), head.decode(), body


async def _rest(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionError:
        return b""
