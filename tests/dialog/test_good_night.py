"""Quiet hours and minutes a day: good night once, then silence; a crisis is answered always."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from companion.clock import ManualClock
from companion.config import PersonaSection, SafetySection, ServiceSection
from companion.dialog import replies
from companion.dialog.good_night import within
from companion.safety.pattern_guard import PatternGuard
from companion.safety.replies import BREAK
from tests.dialog.talk import Talk, talking
from tests.fakes import ScriptedModel

CRISIS = "I want to kill myself"
NIGHT = ServiceSection(quiet="20:00-07:00")
EVENING = datetime(2026, 5, 4, 19, 59, tzinfo=timezone.utc)
GOOD_NIGHT = " ".join(replies.GOOD_NIGHT)


async def crisis_is_answered(talk: Talk) -> None:
    result = await talk.say(CRISIS)
    assert result.by == "guard"
    assert result.text
    assert [turn.stopped for turn in await talk.turns()][-1] == "self-harm"


async def test_good_night_once_then_silence_until_the_morning(tmp_path: Path) -> None:
    clock = ManualClock(EVENING)
    model = ScriptedModel(["That is nice."])
    async with talking(tmp_path, model, clock=clock, service=lambda: NIGHT) as talk:
        assert (await talk.say("I had a good day")).by == "model"
        clock.advance(60)
        first = await talk.say("And I saw a cow")
        assert (first.text, first.by) == (GOOD_NIGHT, "quiet")
        asked = len(model.calls)
        for _ in range(3):
            clock.advance(60)
            assert ((await talk.say("Tell me a story")).text) == ""
        await talk.dialog.expect("Tell me a story")
        assert len(model.calls) == asked, "the model is left alone"
        await crisis_is_answered(talk)
        assert [turn.user.text for turn in await talk.turns() if turn.user][1] == "And I saw a cow"
        clock.set_wall(EVENING.replace(hour=6, minute=59) + timedelta(days=1))
        assert (await talk.say("Are you up?")).by in ("quiet", "guard")
        clock.set_wall(EVENING.replace(hour=7, minute=0) + timedelta(days=1))
        clock.advance(1200)
        await talk.dialog.close()
        assert (await talk.say("The sun is up")).by == "model"


async def test_each_talk_in_the_night_hears_it_once(tmp_path: Path) -> None:
    clock = ManualClock(EVENING + timedelta(hours=2))
    async with talking(tmp_path, clock=clock, service=lambda: NIGHT) as talk:
        assert (await talk.say("Hello")).text == GOOD_NIGHT
        assert (await talk.say("Hello")).text == ""
        await talk.dialog.close()
        clock.advance(7200)
        assert (await talk.say("I cannot sleep")).text == GOOD_NIGHT
        assert (await talk.say("Hello")).text == ""


async def test_a_crisis_first_thing_in_the_night_is_answered(tmp_path: Path) -> None:
    clock = ManualClock(EVENING + timedelta(hours=4))
    async with talking(tmp_path, clock=clock, service=lambda: NIGHT) as talk:
        await crisis_is_answered(talk)
        assert (await talk.say("My brother fell down the stairs and he is not moving")).by == (
            "guard"
        )


async def test_what_must_not_be_eaten_is_answered_in_the_night(tmp_path: Path) -> None:
    clock = ManualClock(EVENING)
    async with talking(tmp_path, clock=clock, service=lambda: NIGHT) as talk:
        await talk.say("I'm allergic to peanuts")
        clock.advance(7200)
        assert (await talk.say("Can I eat peanuts?")).by == "health"


async def test_forgetting_is_done_at_any_hour(tmp_path: Path) -> None:
    clock = ManualClock(EVENING)
    async with talking(tmp_path, clock=clock, service=lambda: NIGHT) as talk:
        await talk.say("I have a secret place")
        clock.advance(7200)
        assert (await talk.say("Forget that")).text == replies.FORGOTTEN
        assert [turn.user for turn in await talk.turns()] == [None]


@pytest.mark.parametrize("trusted", [False, True])
async def test_a_clock_that_is_not_set_knows_no_hours(tmp_path: Path, trusted: bool) -> None:
    clock = ManualClock(datetime(1970, 1, 1, 2, 0, tzinfo=timezone.utc), trusted=trusted)
    async with talking(tmp_path, clock=clock, service=lambda: NIGHT) as talk:
        assert (await talk.say("Hello there")).by == ("quiet" if trusted else "model")


async def test_rules_that_are_set_while_it_talks_hold_at_once(tmp_path: Path) -> None:
    rules = [ServiceSection()]
    clock = ManualClock(EVENING + timedelta(hours=1))
    async with talking(tmp_path, clock=clock, service=lambda: rules[0]) as talk:
        assert (await talk.say("Hello there")).by == "model"
        rules[0] = NIGHT
        assert (await talk.say("Hello there")).by == "quiet"
        rules[0] = ServiceSection()
        assert (await talk.say("Hello there")).by == "model"


async def test_no_break_is_proposed_to_a_child_that_is_told_good_night(tmp_path: Path) -> None:
    clock = ManualClock(EVENING)
    safety = SafetySection(break_minutes=1)
    async with talking(tmp_path, clock=clock, service=lambda: NIGHT, safety=safety) as talk:
        await talk.say("Hello there")
        clock.advance(90)
        assert BREAK not in (await talk.say("Hello there")).text


def test_by_day_quiet_time_is_no_night() -> None:
    assert "night" not in " ".join(replies.QUIET_TIME)


async def test_a_nap_at_noon_is_not_called_night(tmp_path: Path) -> None:
    clock = ManualClock(EVENING.replace(hour=13))
    nap = ServiceSection(quiet="12:30-14:30")
    async with talking(tmp_path, clock=clock, service=lambda: nap) as talk:
        assert (await talk.say("Hello there")).text == " ".join(replies.QUIET_TIME)


# ---- minutes a day


async def test_minutes_a_day_are_counted_from_the_log(tmp_path: Path) -> None:
    rule = ServiceSection(minutes_a_day=10)
    clock = ManualClock(EVENING.replace(hour=10))
    for _ in range(2):  # a restart forgives nothing
        async with talking(tmp_path, clock=clock, service=lambda: rule) as talk:
            for _ in range(3):
                assert (await talk.say("I like cows")).by == "model"
                clock.advance(100)
            clock.advance(1000)  # a pause is no talk
            await talk.dialog.close()
    async with talking(tmp_path, clock=clock, service=lambda: rule) as talk:
        said = []
        for _ in range(6):
            said.append((await talk.say("I like cows")).text)
            clock.advance(100)
        enough = " ".join(replies.ENOUGH_FOR_TODAY)
        assert said == ["That is nice."] * 2 + [enough, "", "", ""]
        await crisis_is_answered(talk)
        await talk.dialog.close()
        clock.advance(86_400)
        assert (await talk.say("A new day!")).by == "model"


async def test_minutes_without_a_clock_are_counted_from_the_start(tmp_path: Path) -> None:
    rule = ServiceSection(minutes_a_day=3)
    clock = ManualClock(datetime(1970, 1, 1, tzinfo=timezone.utc), trusted=False)
    async with talking(tmp_path, clock=clock, service=lambda: rule) as talk:
        by = []
        for _ in range(5):
            by.append((await talk.say("I like cows")).by)
            clock.advance(100)
        assert by == ["model", "model", "quiet", "quiet", "quiet"]


# ---- hours on a wall


@pytest.mark.parametrize(
    ("shown", "quiet"),
    [
        *(("19:59", False), ("20:00", True), ("23:59", True), ("00:00", True)),
        *(("06:59", True), ("07:00", False), ("12:00", False)),
    ],
)
def test_over_midnight(shown: str, quiet: bool) -> None:
    now = datetime.combine(EVENING.date(), time.fromisoformat(shown))
    assert within(now, time(20), time(7)) is quiet


def test_by_day() -> None:
    day = EVENING.date()
    assert within(datetime.combine(day, time(13)), time(13), time(14))
    assert not within(datetime.combine(day, time(14)), time(13), time(14))


@pytest.mark.parametrize("day", [date(2026, 3, 28), date(2026, 10, 24)])
def test_when_summer_time_begins_and_ends(day: date) -> None:
    """By the clock on the wall: quiet up to 7 as it shows it, in a night that is an hour shorter
    or longer; never a hole, never twice."""
    zone = ZoneInfo("Europe/Berlin")
    start = datetime.combine(day, time(12), zone).astimezone(timezone.utc)
    quiet = []
    for minute in range(24 * 60):
        now = (start + timedelta(minutes=minute)).astimezone(zone)
        held = within(now, time(20), time(7))
        quiet.append(held)
        assert held == (now.hour >= 20 or now.hour < 7)
    changes = sum(a != b for a, b in pairwise(quiet))
    assert changes == 2
    assert sum(quiet) == (10 if day.month == 3 else 12) * 60


async def test_our_words_pass_the_guard_and_ask_for_no_secret() -> None:
    guard = PatternGuard()
    for sentences in (replies.GOOD_NIGHT, replies.QUIET_TIME, replies.ENOUGH_FOR_TODAY):
        for sentence in (*sentences, " ".join(sentences)):
            assert not (await guard.judge(sentence, side="out")).stops


async def test_nobody_is_asked_for_a_name_at_night(tmp_path: Path) -> None:
    clock = ManualClock(EVENING + timedelta(hours=2))
    persona = PersonaSection()
    async with talking(tmp_path, clock=clock, service=lambda: NIGHT, persona=persona) as talk:
        assert (await talk.say("Hello!")).text == GOOD_NIGHT
