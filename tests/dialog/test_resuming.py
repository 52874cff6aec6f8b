"""What a new talk takes up of the ones before it, and what it never does."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from companion import language
from companion.clock import ManualClock
from companion.config import DialogSection
from companion.language.types import Exchanged
from tests.dialog.talk import talking

TUESDAY = datetime(2026, 3, 10, 16, 0, tzinfo=timezone.utc)


def taken_up(*told: str, days: int, reply: str = "Oh! When is that?") -> str:
    talk = [Exchanged(said, reply, TUESDAY) for said in told]
    found: str = language.resuming.taken_up([talk], TUESDAY + timedelta(days=days))
    return found


@pytest.mark.parametrize(
    ("told", "days", "said"),
    [
        (["weve got a spelling test tomorrow"], 2, "How was your spelling test?"),
        (["weve got a spelling test on friday"], 2, "Tomorrow is your spelling test"),
        (["guess what im going to be 7", "on saturday"], 2, "Your birthday is on Saturday"),
        (["i dont want to go to the dentist", "tomorrow"], 2, "How was it at the dentist?"),
        (["training was hard", "weve got bagley on thursday"], 3, "your match against Bagley"),
        (["can we do a story about a walrus", "dont finish it without me"], 1, "the walrus"),
        (["kit says im not her best friend any more"], 1, "How are you feeling today?"),
        (["my tooth is so wobbly its hanging on a string"], 2, "your wobbly tooth"),
        (
            ["tell me a story about a robot", "i've got my chess tournament tomorrow"],
            2,
            "tournament",
        ),
    ],
)
def test_what_is_near_or_was_left_is_taken_up(told: list[str], days: int, said: str) -> None:
    assert said in taken_up(*told, days=days)


@pytest.mark.parametrize(
    ("told", "days"),
    [
        (["tell me a joke", "whats bigger a whale or a bus"], 1),
        (["weve got a spelling test tomorrow", "the spelling test is cancelled"], 2),
        (["shes got her chemistry test tomorrow"], 2),
        (["lets play its my birthday tomorrow"], 1),
        (["i wish it was my birthday tomorrow"], 1),
        (["lets play schools", "weve got a spelling test tomorrow"], 2),
        (["can you keep a secret", "me and dad do a party for mum on sunday"], 6),
        (["my grandad died", "the funeral is tomorrow"], 2),
        (["we had prawns at a wedding and i was ill", "it was on saturday"], 1),
        (["im going to drive", "on thursday"], 3),
        (["we go on a trip in august"], 2),
        (["weve got a spelling test tomorrow"], 9),
        (["mum and dad are shouting again"], 1),
    ],
)
def test_what_is_off_anothers_play_secret_or_grave_is_not(told: list[str], days: int) -> None:
    assert taken_up(*told, days=days) == ""


def test_what_was_moved_is_spoken_of_on_its_new_day() -> None:
    first = [Exchanged("were going to the farm on thursday", "Lovely!", TUESDAY)]
    later = TUESDAY + timedelta(days=1)
    second = [
        Exchanged("the coach is broke so its not tomorrow", "Is the farm trip put off?", later),
        Exchanged("its going to be monday now", "Monday, then.", later),
    ]
    found = language.resuming.taken_up([first, second], TUESDAY + timedelta(days=3))
    assert found.startswith("Your trip to the farm is on Monday")


@pytest.mark.parametrize(("wanted", "by"), [(True, "opener"), (False, "model")])
async def test_it_is_said_to_a_greeting_and_only_once(
    tmp_path: Path, wanted: bool, by: str
) -> None:
    clock = ManualClock(TUESDAY)
    section = DialogSection(openers=wanted)
    async with talking(tmp_path, clock=clock, section=section) as talk:
        await talk.say("weve got a spelling test tomorrow")
        await talk.dialog.close()
        clock.advance(2 * 86_400)
        first = await talk.say("hi")
        await talk.dialog.close()
        clock.advance(3_600)
        again = await talk.say("hi")
    assert first.by == by
    assert ("How was your spelling test?" in first.text) == wanted
    assert again.by != "opener"
