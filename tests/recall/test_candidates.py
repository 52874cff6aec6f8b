"""What competes for the block, and wins: a real store with hashed vectors."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timezone
from pathlib import Path

import apsw
import pytest

from companion.clock import ManualClock
from companion.config import RetrievalSection, StoreSection
from companion.recall.embedding import embed_turn
from companion.recall.hybrid import Recall
from companion.recall.protocol import Query, RecallResult
from companion.records import Role, Source
from companion.store import erase, history, log, memories, token_bits
from companion.store.database import Store
from tests.fakes import HashEmbedder

MONDAY = datetime(2026, 10, 5, 17, tzinfo=timezone.utc)
LONG = "I had pasta with peas and then we went out " + "and ran about " * 8 + "until it was dark."
SAID = [
    ("My hamster Biscuit can climb the curtain.", "What a brave hamster! Who gave him to you?"),
    ("It was granny.", "Blue whales sing deep songs in the sea."),
    (LONG, "Peas are tiny balls of fun."),
]


class World:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.embedder = HashEmbedder(dimension=128)

    async def recall(
        self, words: str, *, budget: int = 100, shown: int | None = None
    ) -> RecallResult:
        recall = Recall(
            self.store,
            self.embedder,
            ManualClock(MONDAY),
            RetrievalSection(budget_tokens=budget, s_question=0),
            lambda text: len(text.split()),
        )
        return await recall.recall(Query(words, shown=frozenset({("mon", shown)} if shown else ())))

    async def learn(self, text: str, turn: int, quote: str) -> int:
        [embedded] = await self.embedder.embed_tokens([text])
        id: int = await self.store.write(
            memories.add,
            text,
            kind="fact",
            sources=[Source("mon", turn, quote)],
            vector=embedded.vector,
            tokens=token_bits.signs(embedded.tokens),
            embedder=self.embedder.name,
            now=MONDAY,
        )
        return id


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    store = await Store.open(tmp_path, StoreSection(encrypt=False), ManualClock(MONDAY))
    made = World(store)
    rows: list[tuple[Role, str, datetime]] = []
    for said, reply in SAID:
        rows += [("user", said, MONDAY), ("assistant", reply, MONDAY)]
    await store.write(log.import_messages, "mon", rows)
    for turn in await store.read(history.turns, "mon"):
        await store.write((await embed_turn(made.embedder, turn)).put)
    yield made
    await store.close()


def best(result: RecallResult) -> str:
    return max(result.items, key=lambda item: item.score).text


async def test_an_answer_is_shown_with_the_question_that_it_answers(world: World) -> None:
    result = await world.recall("Who gave my hamster to me?")
    assert (
        "Monday 5 October (today): You: Who gave him to you? They: It was granny." in result.block
    )


async def test_a_message_is_found_by_the_line_before_it(world: World) -> None:
    """No word of the question stands in the answer itself."""
    assert "It was granny." in best(await world.recall("Who gave him to my house?", budget=500))


async def test_the_companions_own_message_is_found_when_either_may_have_said_it(
    world: World,
) -> None:
    result = await world.recall("Which blue whales sing deep songs?", budget=30)
    assert "Monday 5 October (today): You: Blue whales sing deep songs in the sea." in result.block
    assert "whales" not in (await world.recall("Which songs do I sing?")).block


async def test_the_budget_is_used_and_never_exceeded(world: World) -> None:
    small = await world.recall("Which hamster, whales, pasta and peas?", budget=30)
    large = await world.recall("Which hamster, whales, pasta and peas?", budget=200)
    assert 12 < len(small.block.split()) <= 30
    assert len(large.items) > len(small.items)


async def test_a_memory_leads_to_the_words_themselves(world: World) -> None:
    words = "Do I have a rodent?"
    before = {item.id: item.score for item in (await world.recall(words, budget=500)).items}
    id = await world.learn("The user has a rodent for a pet.", 1, SAID[0][0])
    result = await world.recall(words, budget=500)
    assert best(result) == f"Monday 5 October (today): They: {SAID[0][0]}"
    assert max(item.score for item in result.items) > before["mon#1"]
    assert result.used == (id,)


async def test_the_memory_of_a_whole_long_message_stands_for_it(world: World) -> None:
    await world.learn("The user had pasta with peas.", 3, SAID[2][0])
    result = await world.recall("What pasta did I have with peas?")
    assert best(result) == "Monday 5 October (today): The user had pasta with peas."
    assert "until it was dark" not in result.block


async def test_the_memory_of_a_part_does_not_hide_the_rest(world: World) -> None:
    await world.learn("The user had pasta with peas.", 3, "I had pasta with peas")
    result = await world.recall("What pasta did I have with peas?")
    assert "The user had pasta" not in result.block
    assert "until it was dark" in result.block


async def test_what_the_prompt_shows_anyway_is_left_out(world: World) -> None:
    await world.learn("The user's hamster is called Biscuit.", 1, SAID[0][0])
    await world.learn("The user had pasta.", 3, "I had pasta with peas")
    assert "Biscuit" not in (await world.recall("What is my hamster called?", shown=1)).block
    assert "pasta" not in (await world.recall("Which pasta did I have?", shown=3)).block


async def test_what_was_erased_is_not_the_line_before(world: World) -> None:
    await erase.erase_turn(world.store, "mon", 1)
    result = await world.recall("Who gave my hamster to me?")
    assert "gave" not in result.block
    assert "It was granny." in result.block


async def test_what_a_guard_stopped_is_not_the_line_before(world: World) -> None:
    def stop(c: apsw.Connection) -> None:
        log.mark_stopped(c, "mon", 1, "weapons")

    await world.store.write(stop)
    result = await world.recall("Who gave my hamster to me?")
    assert "gave" not in result.block
    assert "Biscuit" not in result.block


async def test_turns_without_tokens_are_found_by_their_vectors(world: World) -> None:
    """As they are before the first night with this version."""
    await world.store.write(lambda c: c.execute("DELETE FROM turn_tokens") and None)
    assert "Biscuit" in best(await world.recall("Which hamster Biscuit did I see climb?"))


async def test_talk_without_content_recalls_nothing(world: World) -> None:
    assert (await world.recall("Oh, well!")).block == ""
