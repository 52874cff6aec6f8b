"""Who comes in, and for how long."""

from __future__ import annotations

import pytest

from companion.clock import ManualClock
from companion.web.sessions import MOST, Sessions
from tests.web.conftest import LOOK, Page, opened
from tests.web.fake_toy import PIN, FakeToy


@pytest.mark.parametrize("path", [*LOOK, "/toy/export"])
async def test_who_has_not_given_the_pin_sees_nothing(path: str, page: Page, toy: FakeToy) -> None:
    answer = await page.get(path)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/pin"
    assert answer.text == ""
    assert toy.asked == []


async def test_the_right_pin_opens_a_session_that_scripts_and_other_sites_cannot_use(
    page: Page,
) -> None:
    answer = await page.come_in()
    assert answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert len(page.http.cookies["companion"]) >= 43, "256 bits"
    assert (await page.get("/")).status_code == 200


async def test_a_wrong_pin_does_not(page: Page) -> None:
    answer = await page.come_in("000000")
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert (await page.get("/")).status_code == 303


async def test_while_there_is_no_pin_nobody_comes_in(page: Page, toy: FakeToy) -> None:
    toy.pin = None
    text = (await page.get("/pin")).text
    assert "companion web pin" in text
    assert "<form" not in text
    assert (await page.come_in("")).status_code == 403


async def test_with_a_button_the_page_says_how_to_get_a_code(page: Page, toy: FakeToy) -> None:
    toy.pin, toy.voice = None, {"button": True}
    text = (await page.get("/pin")).text
    assert "five seconds" in text
    assert 'href="/pin/new"' in text


NEW = {"pin": "730164", "again": "730164", "code": "482910"}


async def test_the_code_that_was_spoken_sets_a_pin_and_lets_in(page: Page, toy: FakeToy) -> None:
    toy.pin, toy.code = None, "482910"
    assert (await page.get("/pin/new")).text.count("<input") == 3
    answer = await page.post("/pin/new", NEW)
    assert answer.headers["location"] == "/"
    assert (await page.get("/who")).status_code == 200
    assert ("audit_add", {"what": "set the pin with a code", "count": 1}) in toy.asked
    assert (await page.post("/pin/new", NEW)).status_code == 403, "it is used up"


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"code": "111111"}, "that is not the code"),
        ({"code": ""}, "that is not the code"),
        ({"again": "730165"}, "not the same"),
        ({"code": "4" * 100}, "too long"),
    ],
)
async def test_without_the_code_none_is_set(
    page: Page, toy: FakeToy, other: dict[str, str], why: str
) -> None:
    toy.code = "482910"
    answer = await page.post("/pin/new", NEW | other)
    assert answer.status_code == 403
    assert why in answer.text
    assert "set-cookie" not in answer.headers
    assert toy.pin == PIN


async def test_a_new_pin_ends_the_sessions_of_the_old_one(inside: Page, toy: FakeToy) -> None:
    toy.code = "482910"
    async with opened(toy, inside.clock) as other:
        await other.come_in()
        await inside.post("/pin/new", NEW)
        other.clock.advance(3)
        assert (await other.get("/who")).status_code == 303
    assert (await inside.get("/who")).status_code == 200


async def test_codes_are_not_guessed(page: Page, toy: FakeToy) -> None:
    toy.code = "482910"
    for _ in range(5):
        answer = await page.post("/pin/new", NEW | {"code": "000000"})
    assert "Please wait 60 seconds" in answer.text
    for _ in range(20):
        assert (await page.post("/pin/new", NEW)).status_code == 403
    assert [do for do, _ in toy.asked].count("pin_set") == 5
    assert (await page.post("/pin/new", NEW, origin="http://evil.example")).status_code == 403


async def test_after_wrong_ones_the_toy_is_not_even_asked(page: Page, toy: FakeToy) -> None:
    for _ in range(5):
        answer = await page.come_in("111111")
    assert "Please wait 60 seconds" in answer.text
    tries = [do for do, _ in toy.asked].count("pin_try")
    for _ in range(20):
        assert (await page.come_in()).status_code == 403
    assert [do for do, _ in toy.asked].count("pin_try") == tries == 5
    page.clock.advance(61)
    assert (await page.come_in()).status_code == 303


async def test_a_session_ends_when_idle(inside: Page) -> None:
    inside.clock.advance(14 * 60)
    assert (await inside.get("/who")).status_code == 200
    inside.clock.advance(14 * 60)
    assert (await inside.get("/who")).status_code == 200
    inside.clock.advance(15 * 60)
    assert (await inside.get("/who")).status_code == 303


async def test_a_page_left_open_overnight_changes_nothing(inside: Page, toy: FakeToy) -> None:
    inside.clock.advance(9 * 3600)
    answer = await inside.post("/memories/erase", {"id": "1"})
    assert answer.headers["location"] == "/pin"
    assert toy.changes() == ["pin_try"]


async def test_another_pin_ends_all_sessions(inside: Page, toy: FakeToy) -> None:
    toy.pin, toy.pins = "999111", 2
    inside.clock.advance(3)
    assert (await inside.get("/who")).status_code == 303


async def test_a_restart_ends_all_sessions(inside: Page, toy: FakeToy, clock: ManualClock) -> None:
    async with opened(toy, clock) as after:
        after.http.cookies.set("companion", inside.http.cookies["companion"], domain="127.0.0.1")
        assert (await after.get("/who")).status_code == 303


async def test_leaving_ends_the_session_for_its_cookie_too(inside: Page) -> None:
    cookie = inside.http.cookies["companion"]
    await inside.post("/leave")
    inside.http.cookies.set("companion", cookie, domain="127.0.0.1")
    assert (await inside.get("/who")).status_code == 303


def test_sessions_are_bounded() -> None:
    sessions = Sessions(lambda: 0.0, 900)
    cookies = [sessions.begin("pin") for _ in range(MOST + 5)]
    assert sum(sessions.find(cookie) is not None for cookie in cookies) == MOST
    assert len(set(cookies)) == MOST + 5
