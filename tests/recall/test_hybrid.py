"""Recall over a real store with the real embedder: what is found, shown, and left out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

import apsw
import numpy as np
import pytest

from companion.clock import ManualClock
from companion.config import RetrievalSection, StoreSection
from companion.engines.embedding.onnx import OnnxEmbedder
from companion.engines.protocols import Embedder
from companion.recall.embedding import embed_turn
from companion.recall.hybrid import Recall
from companion.recall.notes import NOTHING_FITS
from companion.recall.paper import PaperRecall
from companion.recall.protocol import EMPTY, Query, RecallResult, TurnKey
from companion.records import Role, Source
from companion.store import (
    corrections,
    erase,
    history,
    log,
    memories,
    questions,
    token_bits,
    turn_index,
)
from companion.store.database import Store

MONDAY = datetime(2026, 10, 5, 17, tzinfo=timezone.utc)

TALK = {
    "2026-10-05-1": [
        ("My hamster Biscuit can climb the curtain.", "What a brave hamster! Whales sing, too."),
        ("Tell me about whales.", "Blue whales are the biggest animals, and their song is deep."),
        ("I had pasta with peas for lunch.", "Peas are tiny green balls of fun."),
    ],
    "2026-10-07-1": [
        ("Yesterday we went to the castle with Grandpa.", "Castles have thick walls."),
        ("What colour is the sun?", "It is white, and looks yellow to us."),
        ("Teddy.", "That is a fine name for a bear."),
    ],
}


@dataclass
class World:
    """A store with two days of talk, seen from two days later."""

    store: Store
    embedder: Embedder
    clock: ManualClock
    section: RetrievalSection = field(default_factory=RetrievalSection)

    async def recall(
        self,
        words: str,
        *,
        previous: str | None = None,
        shown: frozenset[TurnKey] = frozenset(),
        **changes: int,
    ) -> RecallResult:
        found = Recall(
            self.store,
            self.embedder,
            self.clock,
            self.section.model_copy(update=changes),
            lambda text: len(text.split()),
        )
        return await found.recall(Query(words, None, shown, previous))

    async def learn(self, text: str, session: str, turn: int, quote: str) -> int:
        [embedded] = await self.embedder.embed_tokens([text])
        id: int = await self.store.write(
            memories.add,
            text,
            kind="fact",
            sources=[Source(session, turn, quote)],
            vector=embedded.vector,
            tokens=token_bits.signs(embedded.tokens),
            embedder=self.embedder.name,
            now=self.clock.wall(),
        )
        return id


@pytest.fixture
async def world(tmp_path: Path, embedder_dir: Path) -> AsyncIterator[World]:
    clock = ManualClock(MONDAY)
    embedder = await OnnxEmbedder.load(embedder_dir, name="minilm", threads=1)
    store = await Store.open(tmp_path, StoreSection(encrypt=False), clock)
    for session, exchanges in TALK.items():
        day = datetime.fromisoformat(f"{session[:10]}T17:00:00+00:00")
        rows: list[tuple[Role, str, datetime]] = []
        for said, reply in exchanges:
            rows += [("user", said, day), ("assistant", reply, day)]
        await store.write(log.import_messages, session, rows)
        for turn in await store.read(history.turns, session):
            await store.write((await embed_turn(embedder, turn)).put)
    clock.advance(timedelta(days=4).total_seconds())
    yield World(store, embedder, clock)
    await store.close()
    await embedder.close()


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
