"""Consolidation on real weights: what a child says becomes what is true, and little else."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.config import ConsolidationSection, ForgettingSection, LlmSection, StoreSection
from companion.consolidation.phase import Consolidation
from companion.engines.llama.model import LlamaCpp
from companion.engines.protocols import Embedder, LanguageModel
from companion.store import history, memories, profile
from companion.store.database import Store
from tests.consolidation.conftest import START, World

pytestmark = pytest.mark.real

CHILD = (
    "Hi! My name is Mia and I'm seven years old.",
    "Hello Mia! What happened today?",
    "My dog Biscuit ate my sandwich!",
    "Oh no, poor you.",
    "I'm allergic to peanuts.",
    "That is good to know. Do you have anything planned?",
    "Tomorrow is my swimming test.",
    "Good luck! Would you like a tip?",
    "Yes please. Grandma lives in Leeds.",
    "Do you visit her often?",
    "Yes, every Sunday.",
    "How nice. Do you play any sport?",
    "No, I don't like football any more.",
    "That is fine.",
    "Let's pretend I'm a pirate with a green parrot!",
    "Arr! Have you got a treasure?",
    "I have ten chests of gold.",
    "Splendid.",
    "Thank you, that was fun. Bye!",
    "Bye Mia!",
)


async def test_the_laptop_model_learns_what_a_child_says(
    world: World, llm_laptop_path: Path, embedder: Embedder
) -> None:
    await world.talk("day-1", *CHILD)
    model = await LlamaCpp.load(llm_laptop_path, LlmSection(context_tokens=2048), name="laptop")
    try:
        report = await _consolidation(model, embedder, world.store, world.clock).run()
    finally:
        await model.close()
    found = await world.remembered()
    text = "\n".join(memory.text for memory in found)
    for fact in ("Biscuit", "allergic to peanuts", "Leeds", "swimming test"):
        assert fact in text
    assert not [m.text for m in found if "likes football" in m.text or "gold" in m.text]
    assert "parrot" not in text
    assert next(m for m in found if "swimming" in m.text).event_time == "2026-10-08"
    assert next(m for m in found if "peanuts" in m.text).kind == "profile"
    known = await world.store.read(profile.current)
    assert (known.name, known.age) == ("Mia", 7)
    await _assert_grounded(world.store)
    assert report.retries.parked == 0
    assert report.model_calls <= 12


async def test_the_small_model_ends_alike_however_often_it_is_interrupted(
    tmp_path: Path, llm_small_path: Path, embedder: Embedder
) -> None:
    model = await LlamaCpp.load(llm_small_path, LlmSection(context_tokens=2048), name="small")
    try:
        uncut, _ = await _night(tmp_path / "uncut", model, embedder, cuts=0)
        cut, cancelled = await _night(tmp_path / "cut", model, embedder, cuts=8)
    finally:
        await model.close()
    assert cancelled >= 5
    assert uncut
    assert cut == uncut


async def _night(
    directory: Path, model: LanguageModel, embedder: Embedder, *, cuts: int
) -> tuple[list[object], int]:
    """A short day consolidated, stopped `cuts` times in the middle of a model call."""
    clock = ManualClock(START)
    store = await Store.open(directory, StoreSection(), clock)
    world = World(store, clock)
    await world.talk("day-1", *CHILD[2:10])
    consolidation = _consolidation(model, embedder, store, clock)
    cancelled = 0
    for n in range(cuts):
        task = asyncio.create_task(consolidation.run())
        await asyncio.wait([task], timeout=0.1 + 0.15 * n)
        task.cancel()
        await asyncio.wait([task])
        cancelled += task.cancelled()
    await consolidation.run()
    await _assert_grounded(store)
    found: list[object] = list(await store.read(memories.list_memories))
    found.append(await store.read(profile.versions))
    await store.close()
    return found, cancelled


def _consolidation(
    model: LanguageModel, embedder: Embedder, store: Store, clock: ManualClock
) -> Consolidation:
    return Consolidation(
        model,
        embedder,
        store,
        clock,
        section=ConsolidationSection(mode="turns"),
        forgetting=ForgettingSection(),
    )


async def _assert_grounded(store: Store) -> None:
    for memory in await store.read(memories.list_memories):
        assert memory.sources
        for source in memory.sources:
            turn = await store.read(history.turn, source.session, source.turn)
            assert turn is not None
            assert turn.user is not None
            assert source.quote in turn.user.text
