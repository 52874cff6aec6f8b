"""Tales of whatever hero is asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.skills import story
from tests.skills.playing import START, playing

GOAT = "tell me a story about a goat that lives in a lift"


def of_two_dragons(tale: story.Story) -> str:
    told = story.told_of(tale, "two dragons", "the two dragons")
    parts = (f"{' '.join(each.sentences)} {each.so_far} {each.ask}" for each in told.parts)
    return " ".join([told.title, told.after, *parts])


@pytest.mark.parametrize("tale", story.tales(), ids=lambda tale: str(tale.title))
def test_a_tale_fits_one_hero_and_two(tale: story.Story) -> None:
    assert story.faults(tale) == []
    text = of_two_dragons(tale)
    assert text.count("two dragons") > text.count("the two dragons")
    assert not re.search(r"[{}]|two dragons (?:was|is|has|are|were)\b|dragons's", text)


async def test_the_hero_that_is_asked_for_is_told_of(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        said = await play.say(GOAT)
        assert "a goat that lives in a lift" in said
        assert "the goat" in (await play.say("go on")).lower()
        again = await play.say("again")
        assert "a goat that lives in a lift" in again
        other = await play.say("another story about a goat that lives in a lift")
        assert "a goat that lives in a lift" in other
        assert other != again
        assert "goat" not in (await play.say("tell me another story")).lower()


async def test_a_tale_goes_on_next_day_with_its_hero(tmp_path: Path) -> None:
    clock = ManualClock(START)
    async with playing(tmp_path, clock=clock) as play:
        await play.say("a story about Tilda")
        await play.say("go on")
    clock.advance(86_400)
    async with playing(tmp_path, clock=clock) as play:
        assert "Tilda" in await play.say("where were we")


async def test_a_story_that_somebody_wrote_about_it_goes_first(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        assert "Snail" in await play.say("tell me a story about a snail")


async def test_at_bedtime_a_quiet_one_is_told(tmp_path: Path) -> None:
    async with playing(tmp_path) as play:
        said = await play.say("a bedtime story about two owls")
        quiet = [story.told_of(each, "", "the two owls") for each in story.tales() if each.bedtime]
        assert "two owls" in said
        assert any(each.title in said for each in quiet)
