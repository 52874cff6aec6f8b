"""What recall leaves out: words of now, other days, and what a parent put right."""

from __future__ import annotations

import pytest

from companion.config import RetrievalSection
from companion.recall.embedding import embed_turn
from companion.recall.hybrid import Recall
from companion.recall.protocol import Query, RecallResult
from companion.records import Source
from companion.store import (
    corrections,
    history,
    log,
    questions,
)
from tests.recall.world import World


async def test_the_words_themselves_are_no_answer_to_them(world: World) -> None:
    words = "What did I tell you about my hamster Biscuit yesterday?"
    now = world.clock.wall()
    talk = "2026-10-09-1"
    await world.store.write(log.start_session, now, talk)
    await world.store.write(log.append, talk, "user", words, now)
    found = Recall(world.store, world.embedder, world.clock, RetrievalSection(), len)
    before, after = [
        await found.recall(Query(words, talk, asking=asking)) for asking in (None, (talk, 1))
    ]
    assert all(talk not in item.id for item in after.items)
    assert before.block


async def _asked(world: World, words: str, *, known: bool) -> RecallResult:
    """A question that is in the log already, with its vectors, as when it is asked twice."""
    now, talk = world.clock.wall(), "2026-10-09-1"
    await world.store.write(log.start_session, now, talk)
    await world.store.write(log.append, talk, "user", words, now)
    (turn,) = await world.store.read(history.turns, talk)
    await world.store.write((await embed_turn(world.embedder, turn)).put)
    section = RetrievalSection()
    found = Recall(
        world.store, world.embedder, world.clock, section, lambda text: len(text.split())
    )
    return await found.recall(Query(words, talk, asking=(talk, 1) if known else None))


@pytest.mark.parametrize("known", [True, False])
async def test_ones_own_words_are_not_recalled_for_them(world: World, known: bool) -> None:
    words = "I wonder a lot whether my hamster Biscuit can climb the stairs."
    result = await _asked(world, words, known=known)
    assert ("wonder" in result.block) is not known


async def test_a_question_of_a_silent_day_is_not_what_was_told_of_it(world: World) -> None:
    result = await _asked(world, "Do you remember what I did on October 8th?", known=True)
    assert result.block == "Thursday 8 October 2026: (they told you nothing about this day)"


async def test_of_one_day_no_other_days_are_told(world: World) -> None:
    await world.learn("The user ate pasta with peas.", "2026-10-01-1", 1, "I ate pasta with peas")
    result = await world.recall("What did I eat on October 5th, pasta with peas?")
    assert "pasta" in result.block
    assert {item.id.partition("#")[0] for item in result.items} == {"2026-10-05-1"}


async def test_who_tells_of_a_day_is_not_told_that_nothing_is_known_of_it(world: World) -> None:
    asked = await world.recall("What did I do the day before yesterday, do you remember?")
    told = await world.recall("The day before yesterday we went to the sea.")
    assert "told you nothing about this day" not in told.block
    assert asked.block


@pytest.mark.parametrize("budget", [13, 20, 30])
async def test_notes_stay_within_their_room(world: World, budget: int) -> None:
    result = await world.recall("What is my hamster called?", budget_tokens=budget)
    assert sum(len(line.split()) + 1 for line in result.block.splitlines()) <= budget


# ---- what a parent has put right


async def test_a_parents_words_stand_for_the_turn_that_they_put_right(world: World) -> None:
    said = "My hamster Biscuit can climb the curtain."
    id = await world.learn(f'The user said: "{said}"', "2026-10-05-1", 1, said)
    right = "The hamster is called Brownie and can climb the curtain."
    new = await world.store.write(
        corrections.correct, id, right, world.clock.wall(), event_time=None
    )
    for shown in (frozenset(), frozenset({("2026-10-05-1", 1)})):
        result = await world.recall("What is my hamster called?", shown=shown)
        assert right in result.block
        assert "Biscuit" not in result.block
        assert not any("Biscuit" in each.said for each in result.excerpts)
        assert new in result.used
    assert "whales" in (await world.recall("What did we say about whales?")).block


async def test_what_the_child_says_against_it_is_not_recalled(
    world: World,
) -> None:
    id = await world.learn("The user went to a castle.", "2026-10-07-1", 1, "we went to the castle")
    right = "The user went to a museum with Grandpa, not to a castle."
    now = world.clock.wall()
    new = await world.store.write(corrections.correct, id, right, now, event_time=None)
    source = Source("2026-10-05-1", 3, "I had pasta with peas for lunch.")
    await world.store.write(questions.ask, "The user ate pasta.", source, now, memory=new)
    assert "pasta" not in (await world.recall("What did I have for lunch? Pasta?")).block
    [question] = await world.store.read(questions.open_questions)
    await world.store.write(questions.answered, question.id, now)  # it stays as the parent said
    assert "pasta" not in (await world.recall("What did I have for lunch? Pasta?")).block
