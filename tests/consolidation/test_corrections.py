"""What is put right, changed or taken back."""

from __future__ import annotations

from datetime import timedelta

from companion.store import history, memories, notices
from tests.consolidation.conftest import World

DAY_S = timedelta(days=1).total_seconds()


async def test_a_day_that_moved_takes_the_place_of_the_old_one(world: World) -> None:
    await world.talk("day-1", "My chess fair is tomorrow.", "Oh!")
    await world.night()
    world.clock.advance(DAY_S)
    await world.talk("day-2", "They moved the chess fair, it's on Monday now.", "I see.")
    await world.night(["none"])
    (now,) = await world.remembered()
    assert now.event_time == "2026-10-12"
    (old,) = await world.store.read(memories.list_memories, "superseded")
    assert (old.event_time, old.superseded_by) == ("2026-10-08", now.id)


async def test_a_taste_that_changed_leaves_the_rest_alone(world: World) -> None:
    await world.talk(
        "day-1", "My best crisps are paprika crisps.", "Yum.", "I love my red kite.", "Nice!"
    )
    await world.night(["none"])
    await world.talk("day-2", "I've gone right off paprika crisps, they taste of feet.", "Oh.")
    await world.night(["none"])
    texts = await world.texts()
    assert len(texts) == 2
    assert not any("best crisps" in text for text in texts)


async def test_a_correction_never_takes_the_place_of_an_allergy(world: World) -> None:
    await world.talk("day-1", "I'm allergic to plum jam.", "I see.")
    await world.night(["none"])
    await world.talk("day-2", "I don't eat plum jam any more.", "Oh.")
    await world.night(["none"])
    assert any("allergic" in text for text in await world.texts())


async def test_what_is_taken_back_is_gone_with_all_that_rests_on_it(world: World) -> None:
    await world.talk(
        "day-1",
        "I have a dog named Rex.",
        "Nice.",
        "I have a secret den named Castle.",
        "Oh!",
        "Actually, forget that.",
        "Done.",
    )
    await world.night()
    assert await world.texts() == ["The user has a dog named Rex."]
    left = await world.store.read(history.turns, "day-1")
    assert [turn.number for turn in left] == [1]
    (notice,) = await world.store.read(notices.all_notices)
    assert (notice.topic, notice.turn) == ("withdrawn", 3)


async def test_what_was_told_days_ago_is_taken_back_by_its_name(world: World) -> None:
    await world.talk("day-1", "I like Otto, I like him a lot.", "Oh!", "I have a kite.", "Nice!")
    await world.night()
    assert len(await world.texts()) == 2
    await world.talk("day-2", "You know that thing I said?", "Which?", "The Otto thing. Forget it.")
    await world.night()
    assert await world.texts() == ["The user has a kite."]
    assert not [t for t in await world.store.read(history.turns, "day-1") if "Otto" in str(t)]


async def test_tomorrow_is_denied_by_the_weekday_that_it_was_called(world: World) -> None:
    # the world's first day is a Wednesday
    await world.talk("day-1", "Thursday we go to Barry Island, me and my dad.", "Oh!")
    await world.night(["none"])
    await world.talk("day-1b", "It's not tomorrow any more. Barry. so it's Sunday", "I see.")
    await world.night(["none"])
    assert not any("Thursday" in text for text in await world.texts())


async def test_a_day_of_the_month_is_the_same_in_words_and_in_figures(world: World) -> None:
    await world.talk("day-1", "My eye test is on Friday the ninth, with Doctor Ode.", "Oh!")
    await world.night(["none"])
    await world.talk("day-2", "They changed my eye test, it's not the 9th, it's Monday.", "I see.")
    await world.night(["none"])
    assert not any("ninth" in text for text in await world.texts())


async def test_what_somebody_does_every_day_ends_with_the_liking(world: World) -> None:
    await world.talk("day-1", "I have porridge with salt every day before school.", "Warm!")
    await world.night(["none"])
    await world.talk("day-2", "I've gone right off porridge, it tastes of paper.", "Oh.")
    await world.night(["none"])
    assert not any("every day" in text for text in await world.texts())
