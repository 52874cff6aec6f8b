"""Recall over a real store with the real embedder: what is found, shown, and left out."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import apsw
import numpy as np
import pytest

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.engines.embedding.onnx import OnnxEmbedder
from companion.recall.hybrid import Recall
from companion.recall.notes import NOTHING_FITS
from companion.recall.paper import PaperRecall
from companion.recall.protocol import EMPTY, Query
from companion.records import Role, Source
from companion.store import (
    erase,
    log,
    memories,
    turn_index,
)
from companion.store.database import Store
from tests.recall.world import MONDAY, World


async def test_what_the_person_said_is_found(world: World) -> None:
    result = await world.recall("What is my hamster called?")
    line = "Monday 5 October (four days ago): They: My hamster Biscuit can climb the curtain."
    assert line in result.block.splitlines()
    best = max(result.items, key=lambda item: item.score)
    assert (best.id, best.text) == ("2026-10-05-1#1", line)


async def test_excerpts_are_the_lines_with_what_may_be_said_back_the_best_first(
    world: World,
) -> None:
    result = await world.recall("What is my hamster called?")
    best, *others = result.excerpts
    assert best.said == "My hamster Biscuit can climb the curtain."
    assert (best.when, best.talk) == ("on Monday", "2026-10-05-1")
    assert best.score >= max(each.score for each in others)
    assert {each.text for each in result.excerpts} == {
        each.text.partition(": ")[2] for each in result.items
    }
    told = await world.recall("What did you tell me about whales?")
    assert [each.said for each in told.excerpts if "You: Blue" in each.text] == [""]


async def test_what_was_put_right_after_the_answer_is_shown_as_it_was_meant(world: World) -> None:
    await world.talked("2026-10-08-1", ("We sail to the lighthouse on Saturday.", "How exciting!"),
                       ("No, I mean Sunday.", "Sunday, then."))  # fmt: skip
    shown = (await world.recall("When do we sail to the lighthouse?")).block
    assert "We sail to the lighthouse on Sunday" in shown
    assert "Saturday" not in shown
    assert "No, I mean" not in shown


async def test_of_a_memory_the_words_that_it_quotes_may_be_said_back(world: World) -> None:
    quote = "We have a boat called Vera."
    id = await world.learn("The user has a boat called Vera.", "2026-01-01-1", 1, quote)
    result = await world.recall("What is my boat called?")
    [said] = [each.said for each in result.excerpts if each.talk == f"m{id}"]
    assert said == quote


async def test_talks_are_told_as_they_were_the_one_that_fits_best_last(world: World) -> None:
    result = await world.recall("What is my hamster called?")
    talks = [item.id.partition("#")[0] for item in result.items]
    best = max(result.items, key=lambda item: item.score)
    assert talks[-1] == best.id.partition("#")[0]
    assert len(result.items) > 2
    for talk in set(talks):
        numbers = [int(i.id.partition("#")[2]) for i in result.items if i.id.startswith(talk)]
        assert numbers == sorted(numbers)
        assert "".join("x" if each == talk else "." for each in talks).strip(".").count(".") == 0


async def test_what_the_companion_said_is_found_on_its_side(world: World) -> None:
    result = await world.recall("What did you tell me about whales?")
    best = max(result.items, key=lambda item: item.score)
    assert "You: Blue whales are the biggest animals" in best.text


async def test_a_named_day_keeps_other_days_out(world: World) -> None:
    result = await world.recall("What did I eat on October 5th?")
    assert "pasta" in result.block
    assert "castle" not in result.block


async def test_what_was_said_late_in_a_winter_evening_is_found_by_that_day_in_summer(
    world: World,
) -> None:
    """Summer time had moved half past eleven to the next day: "they told you nothing"."""
    late = datetime(2026, 3, 10, 23, 30, tzinfo=timezone(timedelta(hours=1)))
    said: list[tuple[Role, str, datetime]] = [("user", "We ate fondue.", late)]
    await world.store.write(log.import_messages, "2026-03-10-1", said)
    world.clock.set_wall(datetime(2026, 8, 1, 12, tzinfo=timezone(timedelta(hours=2))))
    assert "fondue" in (await world.recall("What did I eat on March 10th?")).block


async def test_the_last_talk_is_the_one_before_this(world: World) -> None:
    """It used to be today's: nothing was recalled but what stood in the prompt."""
    now = world.clock.wall()
    session = await world.store.write(log.start_session, now)
    await world.store.write(log.append, session, "user", "Hello again.", now)
    for words in ("What did I do last time we talked?", "What was our last conversation about?"):
        assert "castle" in (await world.recall(words)).block


async def test_a_day_told_of_later_is_found_by_its_date(world: World) -> None:
    result = await world.recall("Where did I go on October 6th?")
    assert "Yesterday (6 October) we went to the castle" in result.block


async def test_a_day_of_which_nothing_is_known_is_said_to_be_so(world: World) -> None:
    result = await world.recall("What did I eat on October 8th?")
    assert result.block.startswith("Thursday 8 October 2026: (they told you nothing")
    assert result.items == ()


@pytest.mark.parametrize("told", ["then", "later"])
async def test_a_day_whose_turns_have_expired_is_not_said_to_be_silent(
    world: World, told: str
) -> None:
    """A memory of it is what is left: the companion said that it had been told nothing."""
    day = datetime(2026, 10, 8, 9, tzinfo=timezone.utc)

    def add(c: apsw.Connection) -> None:
        memories.add(
            c,
            "The user rode a pony.",
            kind="event",
            sources=[Source("gone", 1, "I rode a pony.")],
            vector=None,
            embedder="",
            now=world.clock.wall(),
            said=day if told == "then" else None,
            event_time=None if told == "then" else "2026-10-08",
        )

    await world.store.write(add)
    result = await world.recall("What did I do on October 8th?")
    assert "rode a pony" in result.block
    assert "told you nothing" not in result.block
    assert result.used


async def test_nothing_is_not_said_of_what_stands_in_the_prompt(
    tmp_path: Path, embedder_dir: Path
) -> None:
    """In a first talk everything stands there: "I don't remember", a small model said."""
    clock = ManualClock(MONDAY)
    embedder = await OnnxEmbedder.load(embedder_dir, name="minilm", threads=1)
    store = await Store.open(tmp_path, StoreSection(encrypt=False), clock)
    first = World(store, embedder, clock)
    told = ("My parrot is called Kiwi.", "My mum's cake is the best.", "What is my parrot called?")
    said: list[tuple[Role, str, datetime]] = []
    for words in told:
        said += [("user", words, MONDAY), ("assistant", "Oh!", MONDAY)]
    await store.write(log.import_messages, "s", said)
    talk = frozenset(("s", number + 1) for number in range(len(told)))
    for words in ("What is my parrot called?", "What did I tell you today?"):
        assert (await first.recall(words, shown=talk)).block == ""
    assert (await first.recall("What is my teacher called?")).block != ""
    # Neither a question that is like it nor the "'s" of another word is an answer to it.
    assert (await first.recall("What is my teacher's name?", shown=talk)).block == NOTHING_FITS
    await store.close()
    await embedder.close()


async def test_a_question_that_finds_nothing_shows_that(world: World) -> None:
    result = await world.recall("What is my teacher called?", budget_tokens=1)
    assert result.block == NOTHING_FITS


async def test_plain_talk_is_not_given_what_is_far_from_it(world: World) -> None:
    assert (await world.recall("Let's count to twenty!")).block == ""


async def test_plain_talk_is_given_what_is_near(world: World) -> None:
    assert "Biscuit" in (await world.recall("My hamster is climbing again.")).block


async def test_turns_in_the_prompt_are_not_shown_again(world: World) -> None:
    recall = Recall(world.store, world.embedder, world.clock, world.section, lambda text: 1)
    shown = frozenset({("2026-10-05-1", 1)})
    result = await recall.recall(Query("What is my hamster called?", shown=shown))
    assert "Biscuit" not in result.block


async def test_the_budget_bounds_the_block(world: World) -> None:
    result = await world.recall("What did I tell you about my hamster?", budget_tokens=14)
    assert 0 < len(result.block.split()) <= 14


async def test_a_question_that_is_read_apart_is_shown_more(world: World) -> None:
    section = world.section.model_copy(update={"budget_tokens": 14, "asked_tokens": 40})
    recall = Recall(world.store, world.embedder, world.clock, section, lambda s: len(s.split()))
    words = "What did I tell you about my hamster?"
    little = await recall.recall(Query(words))
    more = await recall.recall(Query(words, of_memory=True))
    assert len(little.block.split()) <= 14 < len(more.block.split()) <= 40


async def test_who_wants_nothing_recalled_is_not_told_that_nothing_is_known(
    world: World,
) -> None:
    world.section = world.section.model_copy(update={"budget_tokens": 0})
    for words in ("What is my hamster called?", "What did I eat on October 8th?"):
        assert await world.recall(words) == EMPTY


async def test_a_fact_leads_to_its_turn_and_is_counted_as_used(world: World) -> None:
    quote = "My hamster Biscuit can climb the curtain."
    id = await world.learn("The user has a pet rodent.", "2026-10-05-1", 1, quote)
    result = await world.recall("Do I have a pet rodent?")
    assert quote in result.block
    assert id in result.used


async def test_a_short_answer_is_shown_as_what_was_learnt_from_it(world: World) -> None:
    id = await world.learn("The user's bear is called Teddy.", "2026-10-07-1", 3, "Teddy.")
    result = await world.recall("What is my bear called?")
    assert "The user's bear is called Teddy." in result.block
    assert f"m{id}" in {item.id for item in result.items}


async def test_a_memory_outlives_its_turns(world: World) -> None:
    quote = "My hamster Biscuit can climb the curtain."
    await world.learn("The user's hamster is called Biscuit.", "2026-10-07-1", 99, quote)
    await erase.erase_turn(world.store, "2026-10-05-1", 1)
    result = await world.recall("What is my hamster called?")
    assert "The user's hamster is called Biscuit." in result.block


async def test_a_question_of_pronouns_uses_what_was_said_before(world: World) -> None:
    result = await world.recall("What did I say about it?", previous="I miss my hamster.")
    assert "Biscuit" in result.block


async def test_the_papers_recall_is_dense_and_stands_in_the_system_prompt(world: World) -> None:
    id = await world.learn("The user's hamster is called Biscuit.", "2026-10-05-1", 1, "Biscuit")
    paper = PaperRecall(world.store, world.embedder, world.clock, world.section)
    result = await paper.recall(Query("What is my hamster called?", "2026-10-07-1"))
    assert result.place == "system"
    assert result.used == (id,)
    far = await paper.recall(Query("Why do volcanoes erupt?", "2026-10-07-1"))
    assert far.used == ()


async def test_the_papers_short_term_memory_brings_its_neighbours(world: World) -> None:
    paper = PaperRecall(
        world.store, world.embedder, world.clock, world.section.model_copy(update={"k_short": 1})
    )
    result = await paper.recall(Query("What did I eat for lunch?", "2026-10-05-1"))
    assert {item.id for item in result.items} == {"2026-10-05-1#2", "2026-10-05-1#3"}


async def test_vectors_of_another_embedder_are_not_mixed_in(world: World) -> None:
    other = np.ones(8, dtype=np.float32) / np.sqrt(np.float32(8))
    found = await world.store.read(turn_index.nearest_turns, other, 5, embedder="other")
    assert found == []
