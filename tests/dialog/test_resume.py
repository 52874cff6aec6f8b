from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from companion.config import DialogSection
from companion.store import history
from tests.dialog.talk import INACTIVITY_S, START, talking
from tests.fakes import ScriptedModel


async def test_a_session_that_was_cut_short_is_gone_on_with(tmp_path: Path) -> None:
    model = ScriptedModel(["I see."])
    async with talking(tmp_path, model) as talk:
        await talk.say("My cat is Tom")
        clock = talk.clock
    clock.advance(INACTIVITY_S - 1)
    async with talking(tmp_path, model, clock=clock) as talk:
        result = await talk.say("Who is my cat?")
    assert (result.session, result.turn) == ("2026-05-04-1", 2)
    assert [message.text for message in model.calls[-1]][-3:] == [
        "My cat is Tom",
        "I see.",
        "Who is my cat?",
    ]


@pytest.mark.parametrize(
    ("seconds", "trusted"),
    [(INACTIVITY_S, True), (5, False), (-5, True)],
    ids=["too long ago", "the clock is not to be trusted", "the clock was set back"],
)
async def test_an_old_session_ended_with_its_last_words(
    tmp_path: Path, seconds: float, trusted: bool
) -> None:
    async with talking(tmp_path) as talk:
        await talk.say("My cat is Tom")
        clock = talk.clock
    clock.set_wall(START + timedelta(seconds=seconds), trusted=trusted)
    async with talking(tmp_path, clock=clock) as talk:
        (session,) = await talk.store.read(history.sessions)
        assert session.ended == START
        assert (await talk.say("Hello")).turn == 1


async def test_the_window_of_a_resumed_session_is_no_larger_than_before(tmp_path: Path) -> None:
    section = DialogSection(window_messages=4, window_slack=2)
    model = ScriptedModel(["I see."])
    async with talking(tmp_path, model, section=section) as talk:
        for number in range(12):
            await talk.say(f"words {number}")
        clock = talk.clock
    async with talking(tmp_path, model, section=section, clock=clock) as talk:
        await talk.say("the last words")
    shown = [m.text for m in model.calls[-1] if m.text.startswith("words")]
    assert shown == [f"words {n}" for n in range(12 - len(shown), 12)]
    assert 2 <= len(shown) <= 3


async def test_a_session_can_be_named(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.dialog.close()
        await talk.dialog.open("day one")
        assert (await talk.say("Hello")).session == "day one"
