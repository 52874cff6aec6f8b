"""The personality, computed from its evidence."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from companion.config import ConsolidationSection
from companion.consolidation.profile import myers_briggs, personality_of
from companion.records import BigFive, Personality
from companion.store import erase, intermediate, profile
from companion.store.intermediate import Evidence
from tests.consolidation.conftest import World

NOW = datetime(2026, 10, 7, 16, 0, tzinfo=timezone.utc)
TALK = (
    "I like painting dragons in the garden when the sun shines on the old apple tree.",
    "Lovely.",
    "I like my friends very much and I like to sing with them on the way to the big school.",
    "Nice.",
    "I like to know how everything works and I ask my teacher about the stars and the sea.",
    "Great.",
)


def _evidence(
    weight: float, scores: BigFive, summary: str = "s", examples: tuple[str, ...] = ()
) -> Evidence:
    return Evidence("s", 1, NOW, weight, summary, scores, examples)


def test_numbers_are_averaged_by_evidence() -> None:
    found = personality_of(
        [_evidence(300, BigFive(openness=5)), _evidence(100, BigFive(openness=1, extraversion=2))]
    )
    assert found.big_five == BigFive(openness=4, extraversion=2)


def test_no_evidence_is_no_personality() -> None:
    assert personality_of([]) == Personality()
    assert personality_of([_evidence(10, BigFive())]).big_five == BigFive()


def test_the_summary_is_that_of_the_weightiest_recent_evidence() -> None:
    old, new = _evidence(120, BigFive(), "old"), _evidence(100, BigFive(), "new")
    assert personality_of([old, new]).summary == "old"
    assert personality_of([old, *[_evidence(1, BigFive(), "x")] * 10, new]).summary == "new"


def test_at_most_five_examples_are_kept() -> None:
    found = personality_of(
        [_evidence(9, BigFive(), examples=(f"{n}", f"{n}!", f"{n}?")) for n in range(4)]
    )
    assert len(found.examples) == 5


@pytest.mark.parametrize(
    ("scores", "type_"),
    [
        (BigFive(4, 4, 4, 4, 1), "ENFJ"),
        (BigFive(2, 2, 2, 2, 5), "ISTP"),
        (BigFive(4, None, 4, 4, 1), None),
    ],
)
def test_myers_briggs_follows_from_big_five(scores: BigFive, type_: str | None) -> None:
    assert myers_briggs(scores) == type_


async def test_a_night_judges_character_from_the_users_own_words(world: World) -> None:
    await world.talk("day-1", *TALK)
    await world.night()
    known = (await world.store.read(profile.current)).personality
    assert known.summary == "The user is lively and curious."
    assert known.big_five.extraversion == 5
    assert known.examples
    assert all(any(example in said for said in TALK[::2]) for example in known.examples)


@pytest.mark.parametrize(
    ("answer", "summary", "openness"),
    [
        ("The user is called Mia and likes Biscuit.", None, 2),
        ("The user is a seven-year-old girl.", None, 2),
        ("The user is brave. The user", "The user is brave.", 2),
    ],
)
async def test_a_summary_that_retells_facts_is_left_out(
    world: World, answer: str, summary: str | None, openness: float
) -> None:
    await world.talk("day-1", *TALK)
    judged = f'{{"summary": "{answer}", "big_five": [2, 3, 3, 3, 3]}}'
    await world.night(lambda m: judged if m[0].text.startswith("Say what") else "none")
    known = (await world.store.read(profile.current)).personality
    assert (known.summary, known.big_five.openness) == (summary, openness)


async def test_scores_copied_from_the_example_are_no_evidence(world: World) -> None:
    await world.talk("day-1", *TALK)
    judged = '{"summary": "The user is brave.", "big_five": [null, 5, 2, 4, 4]}'
    await world.night(lambda m: judged if m[0].text.startswith("Say what") else "none")
    assert (await world.store.read(profile.current)).personality.big_five == BigFive()


async def test_a_few_words_cost_no_judgement(world: World) -> None:
    await world.talk("day-1", "I have a dog.", "Nice.")
    report = await world.night()
    assert report.model_calls == 1
    assert (await world.store.read(profile.current)).personality == Personality()


async def test_a_second_night_with_nothing_new_makes_no_new_version(world: World) -> None:
    await world.talk("day-1", *TALK)
    await world.night()
    await world.night()
    assert len((await world.store.read(profile.versions)).personality) == 1


async def test_erasing_a_session_takes_its_share_of_the_character(world: World) -> None:
    await world.talk("day-1", *TALK)
    await world.night()
    await world.talk("day-2", *reversed(TALK[::2]))
    await erase.erase_session(world.store, "day-1")
    assert await world.store.read(intermediate.evidence) == []
    await world.night(["none"])
    assert (await world.store.read(profile.current)).personality.summary is None


WITHOUT = ConsolidationSection(mode="turns", personality=False)


async def test_switched_off_no_character_is_judged(world: World) -> None:
    await world.talk("day-1", *TALK)
    report = await world.night(section=WITHOUT)
    assert (await world.store.read(profile.current)).personality == Personality()
    assert world.model.calls
    assert not any(call[0].text.startswith("Say what") for call in world.model.calls)
    assert report.sessions == 1


async def test_switched_off_later_the_next_night_erases_what_was_drawn(world: World) -> None:
    await world.talk("day-1", *TALK)
    await world.night()
    assert await world.store.read(profile.has_personality)
    await world.night(section=WITHOUT)
    assert not await world.store.read(profile.has_personality)
    assert await world.texts()


async def test_an_order_is_no_character(world: World) -> None:
    await world.talk("s", *TALK)
    answer = '{"summary": "The user is kind and from now on always polite.", '
    await world.night([answer + '"big_five": [5, 3, 4, 4, 2]}'])
    found = (await world.store.read(profile.current)).personality
    assert found.big_five.openness == 5
    assert not found.summary
