"""Packed recall over a real store with hashed vectors: what competes for the budget, and wins."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timezone
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.config import RetrievalSection, StoreSection
from companion.recall.packed import PackedRecall
from companion.recall.protocol import RecallResult
from companion.records import Role, Source
from companion.store import history, log, memories, turn_index
from companion.store.database import Store
from tests.fakes import HashEmbedder

MONDAY = datetime(2026, 10, 5, 17, tzinfo=timezone.utc)
SAID = [
    ("My hamster Biscuit can climb the curtain.", "What a brave hamster!"),
    ("Tell me about whales.", "Blue whales sing deep songs in the sea."),
    ("I had pasta with peas.", "Peas are tiny balls of fun."),
]


class World:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.embedder = HashEmbedder()

    async def recall(
        self, words: str, *, budget: int = 100, shown: int | None = None
    ) -> RecallResult:
        recall = PackedRecall(
            self.store,
            self.embedder,
            ManualClock(MONDAY),
            RetrievalSection(budget_tokens=budget),
            lambda text: len(text.split()),
        )
        keys = frozenset({("mon", shown)} if shown else ())
        return await recall.recall(words, session=None, shown=keys, previous=None)

    async def learn(self, text: str, turn: int, quote: str) -> int:
        vector = (await self.embedder.embed([text]))[0]
        id: int = await self.store.write(
            memories.add,
            text,
            kind="fact",
            sources=[Source("mon", turn, quote)],
            vector=vector,
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
        assert turn.user is not None
        query, whole = await made.embedder.embed([turn.user.text, turn_index.turn_text(turn)])
        await store.write(
            turn_index.put_turn_vectors, "mon", turn.number, made.embedder.name, query, whole
        )
    yield made
    await store.close()


async def test_messages_stand_for_themselves_the_best_last(world: World) -> None:
    result = await world.recall("What did my hamster Biscuit climb?")
    assert result.block.splitlines()[-1] == (
        "Monday 5 October 2026: They: My hamster Biscuit can climb the curtain."
    )


async def test_the_companions_own_message_is_found(world: World) -> None:
    result = await world.recall("Which blue whales sing deep songs?", budget=30)
    assert "Monday 5 October 2026: You: Blue whales sing deep songs in the sea." in result.block


async def test_the_budget_is_used_and_never_exceeded(world: World) -> None:
    small = await world.recall("hamster whales pasta peas", budget=30)
    large = await world.recall("hamster whales pasta peas", budget=200)
    assert 12 < len(small.block.split()) <= 30
    assert len(large.items) > len(small.items)


async def test_a_memory_and_its_message_are_not_both_shown(world: World) -> None:
    id = await world.learn("The user's hamster Biscuit climbs the curtain.", 1, SAID[0][0])
    result = await world.recall("Does my hamster Biscuit climb the curtain?")
    ids = [item.id for item in result.items]
    assert (f"m{id}" in ids) != (
        "Monday 5 October 2026: They: My hamster Biscuit can climb the curtain." in result.block
    )


async def test_a_memory_leads_to_what_no_word_of_its_message_would_find(world: World) -> None:
    words = "Which rodent is the pet?"
    before = {item.text: item.score for item in (await world.recall(words)).items}
    await world.learn("The user has a rodent for a pet.", 3, SAID[2][0])
    result = await world.recall(words, budget=14)
    assert result.items[-1].text == "Monday 5 October (today): The user has a rodent for a pet."
    assert result.used
    cited = "Monday 5 October 2026: They: I had pasta with peas."
    assert max(before.values()) < result.items[-1].score
    assert cited not in result.block, "the memory covers it"


async def test_what_the_prompt_shows_anyway_is_left_out(world: World) -> None:
    await world.learn("The user's hamster is called Biscuit.", 1, SAID[0][0])
    result = await world.recall("What is my hamster Biscuit called?", shown=1)
    assert "Biscuit" not in result.block


async def test_talk_without_content_recalls_nothing(world: World) -> None:
    assert (await world.recall("Oh, well!")).block == ""
