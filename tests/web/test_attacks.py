"""What somebody in the house, or a site that a parent visits, may try. One test for each."""

from __future__ import annotations

import logging
from html.parser import HTMLParser

import pytest

from companion.clock import ManualClock
from companion.config import WebSection
from companion.web import door
from companion.web.names import address, is_ours
from companion.web.site import CHANGES
from tests.web.conftest import LOOK, Page, opened, raw
from tests.web.fake_toy import FakeToy
from tests.web.shapes import memory, turn

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
    hostile_turn = turn(1, MARKUP, MARKUP, MARKUP)
    toy.turns = {MARKUP: [hostile_turn], "2026-11-23-1": [turn(2, MARKUP, MARKUP)]}
    toy.notice_list[0]["topic"] = MARKUP
    toy.pending = [{"id": 1, "what": MARKUP, "shown_as": MARKUP, "due_in_s": 9}]
    toy.set = {"service.minutes_a_day": MARKUP}
    only_our_markup((await inside.get(path)).text)


async def test_markup_in_the_search_is_shown_as_text(inside: Page) -> None:
    answer = await inside.search(MARKUP)
    only_our_markup((await inside.get(answer.headers["location"])).text)


async def test_markup_in_an_error_is_shown_as_text(inside: Page, toy: FakeToy) -> None:
    from companion.errors import InputError

    toy.fails = InputError(MARKUP)
    only_our_markup((await inside.post("/memories/keep", {"id": "1"})).text)


async def test_whoever_reads_the_address_bar_learns_nothing(inside: Page, toy: FakeToy) -> None:
    """A child at the same browser: of what was searched, typed and shown no address holds a word,
    and none lets in without the cookie."""
    secret = "Zanzibar"
    toy.memories[1]["text"] = f"My dog is called {secret}."
    answers = [
        await inside.search(secret),
        await inside.post("/memories/correct", {"id": "1", "text": secret}),
        await inside.post("/who/correct", {"field": "name", "value": secret}),
        await inside.post("/talk/unlock", {"session": "2026-11-23-1", "pin": "204518"}),
    ]
    addresses = {answer.headers["location"] for answer in answers}
    for path in (*LOOK, *addresses):
        found = Tags((await inside.get(path)).text).found
        addresses |= {str(each["href"]) for tag, each in found if tag == "a"}
        assert not [each for tag, each in found if tag == "form" and each.get("method") != "post"]
    cookie = inside.http.cookies["companion"]
    inside.http.cookies.clear()
    for place in addresses:
        assert not [each for each in (secret, "204518", inside.token, cookie) if each in place]
        assert (await inside.get(place)).headers.get("location") == "/pin"


async def test_no_word_and_no_pin_reaches_a_log(
    inside: Page, toy: FakeToy, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    toy._today = None  # type: ignore[assignment]
    secret = "Zanzibar"
    toy.memories[1]["text"] = secret
    await inside.search(secret)
    await inside.get("/")
    await inside.post("/memories/correct", {"id": "1", "text": secret})
    await inside.come_in("777333")
    ours = [each for each in caplog.records if not each.name.startswith(("httpx", "httpcore"))]
    text = "\n".join(each.getMessage() + str(each.exc_info or "") for each in ours)
    assert "unexpected TypeError at" in text, "a defect is told by its place"
    assert secret not in text
    assert "777333" not in text
