"""Whether a talk in which an emergency was heard is about something else by now."""

from __future__ import annotations

import logging

import pytest

from companion import config
from companion.assembly.guard import message_classifier
from companion.dialog.emergency import OVER
from companion.safety.moved_on import LAST, MovedOn
from tests.fakes_kinds import BrokenKinds, FixedKinds

TOLD = "the kitchen is on fire"


async def test_it_reads_the_first_words_with_the_last_few() -> None:
    network = FixedKinds({"fire": "emergency"})
    since = ["one", "two", "three", "four"]
    await MovedOn(network).signs(TOLD, since)
    assert " . ".join([TOLD, *since[-LAST:]]) in network.asked
    assert since[-1] in network.asked


async def test_harm_that_is_still_told_of_makes_it_less_likely() -> None:
    since = ["it is the toy one", "I burned the cake"]
    still = await MovedOn(FixedKinds({"burned": "emergency"})).likely(TOLD, since)
    assert still < await MovedOn(FixedKinds({})).likely(TOLD, since)


async def test_a_network_that_fails_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        assert await MovedOn(BrokenKinds()).likely(TOLD, ["marbles"]) == 0.0
    assert "marbles" not in caplog.text


@pytest.mark.real
@pytest.mark.parametrize(
    ("told", "since", "over"),
    [
        (
            "there was a fire and everybody had to jump out of the window",
            [
                "it was in grandpa's old book",
                "the fireman had a cat called Soot",
                "do you like cats",
            ],
            True,
        ),
        (
            "my sister fell off the roof and she does not move",
            ["she is on the grass", "there is blood on her head", "I am scared"],
            False,
        ),
    ],
)
async def test_the_shipped_network_tells_a_story_from_an_emergency(
    told: str, since: list[str], over: bool
) -> None:
    network = message_classifier(config.load())
    assert network is not None
    assert (await MovedOn(network).likely(told, since) >= OVER) is over
