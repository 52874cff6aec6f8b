"""What the model cannot do is parked, tried on later nights, and fitted in where it belongs."""

from __future__ import annotations

from collections.abc import Sequence

from companion.config import ConsolidationSection
from companion.engines.protocols import ChatMessage
from companion.store import memories, profile
from tests.consolidation.conftest import World
from tests.consolidation.scribe import scribe
from tests.fakes import ScriptedModel


async def test_what_cannot_be_parsed_is_parked_tried_again_and_given_up(world: World) -> None:
    await world.talk("day-1", "I have a dog named Rex.", "Nice.")
    section = ConsolidationSection(mode="turns", nights=2)
    report = await world.night(["gibberish"], section)
    assert report.parked == ["draft day-1#1"]
    assert (report.retries.soft, report.retries.full, report.retries.parked) == (2, 1, 1)
    assert report.sessions == 0
    report = await world.night(["gibberish"], section)
    assert (report.retries.parked, report.sessions) == (1, 1)
    assert (await world.night(["gibberish"], section)).model_calls == 0


async def test_what_does_not_fit_the_model_is_parked(world: World) -> None:
    await world.talk("day-1", "I have a dog named Rex.", "Nice.")
    world.model = ScriptedModel(scribe, context_tokens=60)
    report = await world.night()
    assert report.parked == ["draft day-1#1"]


async def test_a_parked_turn_is_learnt_on_a_better_night(world: World) -> None:
    await world.talk("day-1", "I have a dog named Rex.", "Nice.")
    await world.night(["gibberish"])
    await world.night(["The user has a dog named Rex."])
    assert await world.texts() == ["The user has a dog named Rex."]


async def test_what_was_parked_does_not_undo_what_was_said_after_it(world: World) -> None:
    """On a better night the older turn comes last: it used to make the child a year younger, and
    to move it back to Leeds."""
    await world.talk("day-1", "I'm seven. I live in Leeds with my parents.", "Nice.")
    await world.night(["gibberish"])
    await world.talk("day-2", "I'm eight now. I live in York with my parents.", "Oh!")

    def only_the_newer(messages: Sequence[ChatMessage]) -> str:
        said = messages[-1].text
        return "gibberish" if "Leeds" in said or said == "gibberish" else scribe(messages)

    await world.night(only_the_newer)
    report = await world.night(scribe)
    assert report.parked == []
    assert (await world.store.read(profile.current)).age == 8
    assert await world.texts() == ["The user lives in York with their parents."]
    (older,) = await world.store.read(memories.list_memories, "superseded")
    assert "Leeds" in older.text
