"""What the dialog lets go of when a parent erases: nothing held in RAM outlives its row."""

from __future__ import annotations

from pathlib import Path

from companion.records import Source
from companion.store import profile
from tests.parents.conftest import NOW
from tests.parents.house import House, a_house


def prompt(house: House) -> str:
    return "\n".join(message.text for message in house.world.model.calls[-1])


async def test_an_erased_name_leaves_the_head_of_the_prompt(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        first = await house.world.say("We went to the lake with the boat.")
        turn = Source(str(first.session), 1, "We")
        await house.store.write(profile.note, "name", "Zebedee", turn, NOW)
        async with house.world.phases.awake() as dialog:
            await dialog.forget()
        await house.world.say("And then it began to rain on us.")
        assert "Zebedee" in prompt(house)
        await house.ask("erase", turn=f"{first.session}#1")
        await house.world.say("And then we drove home again.")
        assert "Zebedee" not in prompt(house)
        assert "boat" not in prompt(house)


async def test_an_erased_allergy_is_neither_confirmed_nor_reminded_of(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        told = await house.world.say("I can't eat hazelnuts, I get a rash.")
        assert "hazelnuts" in told.text
        await house.ask("erase", turn=f"{told.session}#{told.turn}")
        answer = await house.world.say("No, that's not right.")
        assert answer.by != "health"
        meal = await house.world.say("Can I eat hazelnuts?")
        assert "told me" not in meal.text
        assert (await house.ask("today"))["health"] == []


async def test_an_erased_timer_does_not_ring_and_is_not_told_of(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        set_ = await house.world.say("Set a timer for two seconds.")
        assert set_.by == "skill:timers"
        await house.world.phases.due()  # it knows it in RAM
        await house.ask("erase", turn=f"{set_.session}#{set_.turn}")
        assert (await house.ask("export"))["timers"] == []
        answer = await house.world.say("How long is left on the timer?")
        assert "second" not in answer.text
        assert await house.world.phases.due() == []


async def test_a_story_whose_turn_is_erased_is_not_gone_on_with(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        told = await house.world.say("Tell me a story.")
        assert told.by == "skill:stories"
        await house.ask("erase", session=told.session)
        assert (await house.ask("export"))["skills"] == []
        on = await house.world.say("Go on.")
        assert on.session != told.session
        assert on.by != "skill:stories"


async def test_the_talk_goes_on_in_place_when_a_memory_is_forgotten(tmp_path: Path) -> None:
    """The window stays, so that the cache does: only what was recalled leaves it."""
    async with a_house(tmp_path) as house:
        await house.world.say("We went to the lake with the boat.")
        before = await house.world.say("It was a red boat, you know.")
        async with house.world.phases.awake() as dialog:
            await dialog.forget()
        after = await house.world.say("And it had a little sail on it.")
        assert after.session == before.session
        assert "red boat" in prompt(house)
        assert after.evaluated_tokens < after.prompt_tokens / 2
