"""Questions for the day of something that was told are reckoned by code, never made up."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.store import log
from tests.dialog.talk import talking

SATURDAY = datetime(2026, 5, 2, 10, 0, tzinfo=timezone.utc)


async def answered(
    tmp_path: Path, told: dict[str, int], question: str, *, trusted: bool = True
) -> tuple[str, str]:
    """told: messages, each with the days after SATURDAY on which it was said; asked on day 6."""
    clock = ManualClock(SATURDAY + timedelta(days=6), trusted=trusted)
    async with talking(tmp_path, clock=clock) as talk:
        for said, day in told.items():
            time = SATURDAY + timedelta(days=day)
            session = await talk.store.write(log.start_session, time)
            await talk.store.write(log.append, session, "user", said, time)
            await talk.store.write(log.append, session, "assistant", "Oh!", time)
            await talk.store.write(log.end_session, session, time)
        result = await talk.say(question)
        return result.by, result.text


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (
            {"i lost my red mitten at the pond yesterday": 2},
            "when did i lose my red mitten",
            "Sunday",
        ),
        ({"we got a tortoise!! he is called bert": 0}, "how long have we had bert", "six days"),
        ({"my party is on sunday": 3}, "how many sleeps till my party", "Two more sleeps"),
        (
            {"gala is on friday": 1, "the gala is moved to monday now": 4},
            "when is my gala",
            "Monday 11 May",
        ),
        ({"we have pe on fridays now": 1}, "have i got pe today", "Yes, today is Friday"),
        ({"we have pe on mondays now": 1}, "have i got pe today", "No, today is Friday"),
    ],
)
async def test_the_day_is_reckoned_from_the_telling(
    tmp_path: Path, told: dict[str, int], question: str, answer: str
) -> None:
    by, text = await answered(tmp_path, told, question)
    assert by == "days"
    assert answer in text


@pytest.mark.parametrize("night", [False, True])
async def test_a_slip_that_was_put_right_after_the_answer(tmp_path: Path, night: bool) -> None:
    clock = ManualClock(SATURDAY + timedelta(hours=6))
    async with talking(tmp_path, clock=clock) as talk:
        session = await talk.store.write(log.start_session, SATURDAY)
        for said in ("we go to the lighthouse on friday", "no wait i mean sunday"):
            await talk.store.write(log.append, session, "user", said, SATURDAY)
            await talk.store.write(log.append, session, "assistant", "Oh!", SATURDAY)
        await talk.store.write(log.end_session, session, SATURDAY)
        if night:
            await talk.consolidate("words")
        assert "Tomorrow, Sunday 3 May" in (await talk.say("when do we go to the lighthouse")).text


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ({"our tortoise ate a peach": 1}, "how long have we had our tortoise"),
        ({"my brothers birthday is on sunday": 1}, "when is my birthday"),
        ({"i can go dead fast on my bike": 1}, "when did i learn to ride my bike"),
    ],
)
async def test_a_day_that_no_telling_gives_is_left_to_recall(
    tmp_path: Path, told: dict[str, int], question: str
) -> None:
    by, _ = await answered(tmp_path, told, question)
    assert by != "days"


async def test_a_day_that_is_over_is_no_answer_for_what_is_to_come(tmp_path: Path) -> None:
    by, _ = await answered(tmp_path, {"sports day is tomorrow": 3}, "when is sports day now")
    assert by != "days"


async def test_without_a_trusted_clock_it_reckons_nothing(tmp_path: Path) -> None:
    told = {"my party is on sunday": 3}
    by, _ = await answered(tmp_path, told, "when is my party", trusted=False)
    assert by == "model"


@pytest.mark.parametrize("words", ["when did the dinosaurs live", "how long is a snake", "hello"])
async def test_the_world_is_left_to_others(tmp_path: Path, words: str) -> None:
    by, _ = await answered(tmp_path, {"i like snakes": 1}, words)
    assert by == "model"
