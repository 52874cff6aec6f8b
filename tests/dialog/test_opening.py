"""A first "hi", on a day for which the night has written something."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from companion.config import DialogSection, PersonaSection
from companion.consolidation.openers import WritingOpeners
from companion.records import Source
from companion.safety.pattern_guard import PatternGuard
from companion.store import memories, openers, profile
from tests.dialog.talk import START, Talk, talking

QUIET = PersonaSection(greeting=False)


async def told_of_a_test(talk: Talk) -> None:
    """A test tomorrow, and the night after it was told."""
    await talk.say("I have a spelling test tomorrow")
    await talk.dialog.close()
    await talk.store.write(
        memories.add,
        "The user has a spelling test.",
        kind="plan",
        sources=[Source("2026-05-04-1", 1, "I have a spelling test tomorrow")],
        vector=None,
        embedder=talk.embedder.name,
        now=talk.clock.wall(),
        event_time=(START.date() + timedelta(1)).isoformat(),
    )
    step = WritingOpeners(talk.store, PatternGuard(), talk.clock)
    for unit in await talk.store.read(step.pending):
        result = await step.infer(unit)
        await talk.store.write(step.commit, unit, result)


async def test_told_of_a_test_and_greeted_when_it_is_over_it_asks_how_it_was(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, persona=QUIET) as talk:
        await told_of_a_test(talk)
        await talk.store.write(profile.note, "name", "Mia", None, talk.clock.wall())
        talk.clock.advance(2 * 86400)
        result = await talk.say("Hi Pip!")
        assert (result.by, result.evaluated_tokens) == ("opener", 0)
        assert result.text == "Hello, Mia! How was the spelling test?"
        assert (await talk.say("easy")).by == "model"
        await talk.dialog.close()
        assert (await talk.say("hi")).by == "model"


async def test_only_a_greeting_at_the_beginning_is_answered_so(tmp_path: Path) -> None:
    async with talking(tmp_path, persona=QUIET) as talk:
        await told_of_a_test(talk)
        talk.clock.advance(2 * 86400)
        for words in ("I have a cat", "hi"):
            assert (await talk.say(words)).by == "model"
        await talk.dialog.close()
        assert (await talk.say("hi", keep=False)).by == "model"
        assert (await talk.say("hello again")).text == "Hello again! How was the spelling test?"


@pytest.mark.parametrize("why", ["owner", "clock", "late"])
async def test_it_is_left_where_it_does_not_fit(tmp_path: Path, why: str) -> None:
    section = DialogSection(openers=why != "owner", today=False)
    async with talking(tmp_path, persona=QUIET, section=section) as talk:
        await told_of_a_test(talk)
        talk.clock.advance((20 if why == "late" else 2) * 86400)
        if why == "clock":
            talk.clock.set_wall(talk.clock.wall(), trusted=False)
        assert (await talk.say("hi")).by == "model"


async def test_who_is_not_known_by_name_is_asked_for_the_day_first(tmp_path: Path) -> None:
    async with talking(tmp_path, persona=PersonaSection()) as talk:
        await told_of_a_test(talk)
        talk.clock.advance(2 * 86400)
        assert (await talk.say("hi")).by == "opener"
        assert await talk.store.read(openers.next_due, talk.clock.wall().date()) is None
