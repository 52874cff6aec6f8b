"""Timers, alarms and reminders: set, asked for, ringing, over restarts and strange clocks."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from companion.clock import ManualClock
from companion.skills.timer_book import MOST, RINGS
from companion.store.timers import all_timers
from tests.skills.playing import START, Play, playing

LONDON = ZoneInfo("Europe/London")


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("set a timer for two minutes", 120),
        ("can you set a timer for 1 minute and 30 seconds", 90),
        ("set a timer for a minute and a half", 90),
        ("start a timer for half an hour please", 1800),
        ("twenty five minute timer", 1500),
        ("set a timer for one and a half hours", 5400),
        ("tell me when ninety seconds are over", 90),
    ],
)
async def test_a_timer_rings_when_its_time_is_over(
    tmp_path: Path, words: str, seconds: int
) -> None:
    async with playing(tmp_path) as play:
        assert "starting now" in await play.say(words)
        play.clock.advance(seconds - 1)
        assert await play.rings() == []
        play.clock.advance(1)
        [rings] = await play.rings()
        assert rings.startswith("Ding")


async def test_it_rings_on_until_somebody_speaks(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        await play.say("set a timer for one minute")
        play.clock.advance(60)
        assert len(await play.rings()) == 1
        assert await play.rings() == []
        play.clock.advance(20)
        assert len(await play.rings()) == 1
        await play.say("stop")
        play.clock.advance(20)
        assert await play.rings() == []
        assert await play.store.read(all_timers) == []


async def test_it_does_not_ring_for_ever(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        await play.say("set a timer for one minute")
        play.clock.advance(60)
        heard = 0
        for _ in range(20):
            heard += len(await play.rings())
            play.clock.advance(20)
        assert heard == RINGS


@pytest.mark.parametrize(
    "words",
    [
        "set a timer for minus one second",
        "set a timer for zero seconds",
        "set a timer for ten years",
        "set a timer for 999999 hours",
    ],
)
async def test_odd_lengths_are_refused(tmp_path: Path, words: str) -> None:
    async with playing(tmp_path) as play:
        assert await play.say(words)
        assert await play.store.read(all_timers) == []


async def test_a_hundred_timers_are_not_kept(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        said = [await play.say(f"set a timer for {n} seconds") for n in range(1, 101)]
        assert len(await play.store.read(all_timers)) == MOST
        assert str(MOST) in said[-1]
        play.clock.advance(200)
        assert len(await play.rings()) == MOST


async def test_several_are_told_apart_by_name(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        await play.say("set a pizza timer for ten minutes")
        await play.say("set a timer called eggs for 5 minutes")
        await play.say("remind me in 20 minutes to call my grandma")
        left = await play.say("how long is left on the pizza timer")
        assert "10 minutes" in left
        assert "eggs" not in left
        assert "eggs" in await play.say("cancel the eggs timer")
        listed = await play.say("what timers do i have")
        assert "pizza" in listed
        said = await play.say("i need a timer for my teeth two minutes")
        assert said == "Okay, 2 minutes for teeth, starting now."
        assert "call your grandma" in listed
        assert "eggs" not in listed
        await play.say("cancel all timers")


async def test_a_reminder_says_what_it_is_about_once(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        await play.say("remind me in ten minutes to feed the cat")
        play.clock.advance(600)
        [rings] = await play.rings()
        assert rings.endswith("feed the cat.")
        play.clock.advance(60)
        assert await play.rings() == []


async def test_the_length_is_asked_for_where_it_is_missing(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        assert (await play.say("set a timer")).endswith("?")
        assert await play.say("i had pasta today") == ""
        assert "5 minutes" in await play.say("five minutes")


async def test_a_timer_rings_after_a_restart(tmp_path: Path) -> None:
    clock = ManualClock(START)
    async with playing(tmp_path, clock=clock) as play:
        await play.say("set a timer for ten minutes")
    clock.advance(590)
    async with playing(tmp_path, clock=clock) as play:
        assert await play.rings() == []
        assert "10 seconds" in await play.say("how long is left")
        clock.advance(11)
        assert (await play.rings())[0].startswith("Ding")


async def test_what_became_due_while_off_is_said_with_the_truth(tmp_path: Path) -> None:
    clock = ManualClock(START)
    async with playing(tmp_path, clock=clock) as play:
        await play.say("set a timer for ten minutes")
        await play.say("remind me at six to feed the cat")
    clock.advance(4 * 3600)
    async with playing(tmp_path, clock=clock) as play:
        first, second = await play.rings()
        assert "switched off" in first
        assert "feed the cat" in second


async def test_a_clock_of_1970_counts_but_knows_no_time_of_day(tmp_path: Path) -> None:
    clock = ManualClock(datetime(1970, 1, 1, 0, 5, tzinfo=timezone.utc), trusted=False)
    async with playing(tmp_path, clock=clock) as play:
        assert "don't know what time" in await play.say("wake me at seven")
        assert "don't know" in await play.say("what time is it")
        assert "don't know" in await play.say("what day is it")
        await play.say("set a timer for two minutes")
        clock.advance(60)
        clock.set_wall(START)  # the network has come
        assert await play.rings() == []
        clock.advance(60)
        assert (await play.rings())[0].startswith("Ding")


async def test_a_timer_of_a_clock_of_1970_is_owned_up_to_after_a_restart(tmp_path: Path) -> None:
    clock = ManualClock(datetime(1970, 1, 1, tzinfo=timezone.utc), trusted=False)
    async with playing(tmp_path, clock=clock) as play:
        await play.say("set a timer for two minutes")
    async with playing(tmp_path, clock=clock) as play:
        assert "can't tell" in (await play.rings())[0]


async def test_a_board_without_battery_waits_for_the_network(tmp_path: Path) -> None:
    clock = ManualClock(START)
    async with playing(tmp_path, clock=clock) as play:
        await play.say("set a timer for ten minutes")
    clock.set_wall(datetime(1970, 1, 1, tzinfo=timezone.utc), trusted=False)
    async with playing(tmp_path, clock=clock) as play:
        clock.advance(30)
        assert await play.rings() == []
        clock.set_wall(START + timedelta(minutes=9))
        assert await play.rings() == []
        clock.advance(61)
        assert (await play.rings())[0].startswith("Ding")


@pytest.mark.parametrize(
    ("now", "words", "due"),
    [
        ("2026-11-23T20:00", "wake me at seven", "2026-11-24T07:00"),
        ("2026-11-23T05:00", "wake me up at seven", "2026-11-23T07:00"),
        ("2026-11-23T15:40", "set an alarm for half past six tomorrow", "2026-11-24T06:30"),
        ("2026-11-23T15:40", "remind me at five to tidy up", "2026-11-23T17:00"),
        ("2026-11-23T15:40", "remind me at quarter to nine in the evening", "2026-11-23T20:45"),
        ("2026-11-23T15:40", "alarm for 7 30 am", "2026-11-24T07:30"),
        # Summer time begins at one on 29 March 2026, and ends at two on 25 October.
        ("2026-03-28T21:00", "wake me at seven", "2026-03-29T07:00"),
        ("2026-10-24T21:00", "wake me at seven", "2026-10-25T07:00"),
    ],
)
async def test_an_alarm_rings_when_the_wall_shows_it(
    tmp_path: Path, now: str, words: str, due: str
) -> None:
    start = datetime.fromisoformat(now).replace(tzinfo=LONDON)
    clock = ManualClock(start)
    async with playing(tmp_path, clock=clock) as play:
        await play.say(words)
        [timer] = await play.store.read(all_timers)
        assert timer.at == due
        end = datetime.fromisoformat(due).replace(tzinfo=LONDON)
        clock.set_wall(end - timedelta(minutes=1))
        assert await play.rings() == []
        clock.set_wall(end)
        assert len(await play.rings()) == 1


async def test_a_timer_runs_on_over_summer_time(tmp_path: Path) -> None:
    clock = ManualClock(datetime(2026, 3, 29, 0, 30, tzinfo=LONDON))
    async with playing(tmp_path, clock=clock) as play:
        await play.say("set a timer for one hour")
        clock.set_wall(datetime(2026, 3, 29, 2, 15, tzinfo=LONDON))  # 45 minutes later
        assert await play.rings() == []
        clock.advance(3600)
        assert len(await play.rings()) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("what time is it", "20 minutes to 4 in the afternoon"),
        ("what day is it", "Monday 23 November 2026"),
        ("is it tuesday today", "No, today is Monday"),
        ("what day is tomorrow", "Tuesday 24 November"),
        ("how many days until christmas", "32 days until Christmas"),
        ("how many sleeps till friday", "4 days until Friday"),
        ("how many sleeps till my birthday", "don't know yet when your birthday is"),
        ("when is my birthday", ""),
    ],
)
async def test_the_clock_is_read(tmp_path: Path, words: str, said: str) -> None:
    async with playing(tmp_path) as play:
        assert said in await play.say(words)


async def test_a_birthday_that_was_told_is_counted_to(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        await _remember(play, "my birthday is on the 3rd of December", "birthday")
        assert "10 days until your birthday" in await play.say("how long until my birthday")


async def test_what_is_known_is_said_in_the_childs_own_words(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        await _remember(play, "I love my dog Otto", "pet")
        await _remember(play, "I am allergic to nuts", "health")
        said = await play.say("what do you know about me")
        assert said == "You are Mia, and you are 7. You love your dog Otto."


async def _remember(play: Play, words: str, kind: str) -> None:
    from companion.records import Source
    from companion.store import memories

    await play.say("hello")
    await play.store.write(
        memories.add,
        words,
        kind=kind,
        sources=[Source(play.session, 1, words)],
        vector=None,
        embedder="none",
        now=play.clock.wall(),
    )


@pytest.mark.parametrize(("words", "left"), [("cancel the timer", 1), ("cancel all timers", 0)])
async def test_one_timer_is_cancelled_unless_all_are_meant(
    tmp_path: Path, words: str, left: int
) -> None:
    async with playing(tmp_path) as play:
        await play.say("set a timer for one minute")
        await play.say("set a timer for two minutes")
        await play.say(words)
        assert len(await play.store.read(all_timers)) == left
