"""The PIN: what it may be, and what guessing costs."""

from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone
from pathlib import Path

import apsw
import pytest

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.errors import InputError
from companion.store import access, audit, notices
from companion.store.database import Store
from companion.store.lived import LivedTime

from .conftest import START

PIN = "493817"
NOW = START


@pytest.mark.parametrize(
    "typed",
    [
        "493817",
        "  493 817\n",
        "4 9 3\u00a08\u20091 7",
        "\u200b493\u200d817\ufeff",
        "٤٩٣٨١٧",
        "４９３８１７",
        "४९३८१७",
        "4９٣817",
    ],
)
def test_the_same_pin_in_other_digits_and_with_blanks(typed: str) -> None:
    assert access.checked(typed) == PIN


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "6 to 32"),
        ("12345", "6 to 32"),
        ("9" * 33, "6 to 32"),
        ("secret", "digits only"),
        ("49381x", "digits only"),
        ("49-38-17", "digits only"),
        ("½93817", "digits only"),
        ("²93817", "digits only"),
        ("111111", "guessed first"),
        ("123456", "guessed first"),
        ("987654", "guessed first"),
        ("٠١٢٣٤٥", "guessed first"),
    ],
)
def test_what_is_no_pin(typed: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        access.checked(typed)


async def a_store(directory: Path, clock: ManualClock, pin: str | None = PIN) -> Store:
    store = await Store.open(directory, StoreSection(encrypt=False, backups=0), clock)
    if pin is not None:
        await store.write(access.put, *access.salted(pin))
    return store


async def guess(store: Store, pin: str) -> bool | None:
    """Whether it was right; None when it was not looked at."""
    trying = await store.write(access.begin_try)
    if trying is None:
        return None
    return await store.write(access.end_try, trying, access.right(trying, pin), NOW)


def test_ten_thousand_guesses_against_a_clock_that_jumps(
    c: apsw.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0 in; at most 60 tried in any day of real time, whatever the wall clock says and however
    often the program is started anew."""
    monkeypatch.setitem(access._COST, "n", 2)
    c.pragma("synchronous", "OFF")
    access.put(c, *access.salted(PIN))
    chance, clock = random.Random(3), ManualClock(START)
    lived_time = LivedTime(clock, 7)
    real, at, right = 0.0, [], 0
    for number in range(10_000):
        for _ in range(chance.randrange(3)):
            seconds = chance.choice([0.0, 1.0, 20.0, 300.0])
            clock.advance(seconds)
            real += seconds
        if number % 7 == 0:  # a network, a flat battery
            jump = chance.choice([-400, -1, 1, 3, 4000])
            moment = START + timedelta(seconds=real) + timedelta(days=jump)
            clock.set_wall(moment, trusted=moment.year > 2022)
        if number % 500 == 0:  # a new process, with the time that a network has set
            clock.set_wall(START + timedelta(seconds=real))
            lived_time = LivedTime(clock, 7)
        lived_time.advance(c)
        trying = access.begin_try(c)
        if trying is not None:
            at.append(real)
            ok = access.right(trying, f"{number:06}")
            right += access.end_try(c, trying, ok, NOW)
    assert right == 0
    assert max(sum(1 for other in at if 0 <= other - one < 86_400) for one in at) <= 60
    assert real > 5 * 86_400, "days have to pass for this to say anything"
    told = [each.topic for each in notices.all_notices(c)]
    assert set(told) == {access.TOPIC}
    assert len(told) == len(at) // 5


async def test_five_wrong_ones_cost_a_minute_then_two(tmp_path: Path) -> None:
    clock = ManualClock(START)
    store = await a_store(tmp_path, clock)
    for wait in (60, 120, 240):
        for _ in range(5):
            assert await guess(store, "000001") is False
        assert (await store.read(access.state)).wait_s == pytest.approx(wait)
        assert await guess(store, PIN) is None, "not even the right one"
        clock.advance(wait - 1)
        assert await guess(store, PIN) is None
        clock.advance(1.1)
    assert await guess(store, PIN) is True
    assert (await store.read(access.state)).wait_s == 0
    for _ in range(4):
        assert await guess(store, "000001") is False
    assert await guess(store, PIN) is True, "the right one forgives"
    await store.close()


async def test_a_restart_forgives_nothing(tmp_path: Path) -> None:
    clock = ManualClock(START)
    store = await a_store(tmp_path, clock)
    for _ in range(5):
        await guess(store, "000001")
    await store.close()
    store = await a_store(tmp_path, clock, None)
    assert await guess(store, PIN) is None
    clock.set_wall(datetime(1970, 1, 1, tzinfo=timezone.utc), trusted=False)
    clock.advance(10_000)
    assert await guess(store, PIN) is None, "a clock that is not trusted lets no time pass"
    await store.write(access.put, *access.salted("271828"))
    assert await guess(store, "271828") is True, "a new one at the device ends the wait"
    await store.close()


def test_many_at_once_are_counted_before_they_are_looked_at(c: apsw.Connection) -> None:
    access.put(c, *access.salted(PIN))
    begun = [access.begin_try(c) for _ in range(50)]
    assert sum(each is not None for each in begun) == 5


def test_without_a_pin_nobody_comes_in(c: apsw.Connection) -> None:
    assert access.begin_try(c) is None
    assert not access.state(c).set


def test_a_pin_that_is_set_meanwhile_makes_the_old_one_wrong(c: apsw.Connection) -> None:
    access.put(c, *access.salted(PIN))
    version = access.state(c).version
    trying = access.begin_try(c)
    assert trying is not None
    access.put(c, *access.salted("271828"))
    assert not access.end_try(c, trying, access.right(trying, PIN), NOW)
    assert access.state(c).version == version + 1


def live(c: apsw.Connection, seconds: float) -> None:
    c.execute("UPDATE state SET lived_s = lived_s + ?", (seconds,))


def test_a_code_can_be_used_once_and_in_time(c: apsw.Connection) -> None:
    assert access.try_code(c, "", NOW) == "none"
    code = access.make_code(c)
    assert access.try_code(c, "x", NOW) == "wrong"
    assert access.try_code(c, code, NOW) == "right"
    assert access.try_code(c, code, NOW) == "none"
    code = access.make_code(c)
    live(c, 599)
    assert access.try_code(c, "x", NOW) == "wrong"
    live(c, 2)
    assert access.try_code(c, code, NOW) == "none"


def test_wrong_codes_count_like_wrong_pins(c: apsw.Connection) -> None:
    access.put(c, *access.salted(PIN))
    code = access.make_code(c)
    assert [access.try_code(c, "x", NOW) for _ in range(6)] == ["wrong"] * 5 + ["wait"]
    assert access.try_code(c, code, NOW) == "wait"
    assert access.begin_try(c) is None
    assert access.state(c).wait_s == 60
    assert [each.topic for each in notices.all_notices(c)] == [access.TOPIC]
    live(c, 61)
    assert access.try_code(c, code, NOW) == "none", "five wrong ones use it up"
    code = access.make_code(c)
    for _ in range(5):
        assert access.try_code(c, "x", NOW) == "wrong"
    assert access.state(c).wait_s == 120
    live(c, 121)
    assert access.try_code(c, access.make_code(c), NOW) == "right"


def test_the_pin_itself_is_nowhere(c: apsw.Connection) -> None:
    access.put(c, *access.salted(PIN))
    for row in c.execute("SELECT * FROM access"):
        assert PIN not in repr(row)


def test_the_audit_list_holds_no_words(c: apsw.Connection) -> None:
    audit.add(c, "erase", 3, NOW)
    audit.add(c, "log in", 1, NOW)
    for words in ("My dog died", "", "x" * 41, "1", "a\nb"):
        with pytest.raises(InputError):
            audit.add(c, words, 1, NOW)
    assert [(each.what, each.count) for each in audit.entries(c)] == [("log in", 1), ("erase", 3)]
    for number in range(audit.MOST + 5):
        audit.add(c, "look", number, NOW)
    assert len(audit.entries(c)) == audit.MOST
