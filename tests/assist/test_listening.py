"""Overhearing: refused by default, ended by the clock, and nothing kept that the guard stops."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from companion.assist.listening import MOST_WAITING, Listening
from companion.clock import ManualClock
from companion.config import AssistSection, StoreSection
from companion.errors import EngineError, InputError, StoreFailing
from companion.safety.pattern_guard import PatternGuard
from companion.safety.verdict import Side, Verdict
from companion.store import blocks, history
from companion.store.database import Store
from tests.fakes import HashEmbedder

START = datetime(2026, 10, 7, 16, 0, tzinfo=timezone.utc)
ON = AssistSection(listen=True)
SAID = (
    "We met at the ferry in the rain, and Olu had lost his hat.",
    "His sister Bisi is a vet in Hull, and she has two parrots and a lame fox.",
    "On Sunday they all come to us for lunch.",
    "I have not even bought bread, and the oven is broken.",
)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture
async def store(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Store]:
    store = await Store.open(tmp_path, StoreSection(), clock)
    yield store
    await store.close()


def listening(store: Store, clock: ManualClock, section: AssistSection = ON) -> Listening:
    return Listening(store, HashEmbedder(), PatternGuard(), clock, section)


async def _kept(store: Store) -> str:
    return " ".join(each.text for each in await store.read(blocks.all_blocks))


async def test_it_is_refused_by_default(store: Store, clock: ManualClock) -> None:
    off = listening(store, clock, AssistSection())
    with pytest.raises(InputError, match=r"assist\.listen: true"):
        off.start(10)
    await off.hear(SAID[0] * 3)
    await off.stop()
    assert await _kept(store) == ""


@pytest.mark.parametrize("minutes", [0, -1, 241, 10**9])
def test_it_never_lasts_for_ever(minutes: int) -> None:
    with pytest.raises(InputError, match="1 to 240"):
        Listening(None, None, None, ManualClock(START), ON).check(minutes)  # type: ignore[arg-type]


async def test_what_is_heard_becomes_blocks_and_no_turn(store: Store, clock: ManualClock) -> None:
    on = listening(store, clock)
    on.start(10)
    for text in SAID:
        await on.hear(text)
        clock.advance(5)
    assert on.context.endswith("and the oven is broken.")
    assert len(on.context) <= 75
    await on.stop()
    assert await _kept(store) == " ".join(SAID)
    found = await store.read(blocks.all_blocks)
    assert found[0].time == START
    assert await store.read(blocks.unembedded, HashEmbedder().name, 9) == []
    assert await store.read(history.sessions) == []
    assert on.context == ""


async def test_it_ends_by_the_clock_and_hears_nothing_after(
    store: Store, clock: ManualClock
) -> None:
    on = listening(store, clock)
    on.start(1)
    clock.advance(59)
    assert on.running
    clock.advance(1)
    assert not on.running
    assert on.left_s == 0
    await on.hear(SAID[0])
    await on.stop()
    assert await _kept(store) == ""


async def test_a_wall_clock_that_jumps_neither_ends_nor_prolongs_it(
    store: Store, clock: ManualClock
) -> None:
    on = listening(store, clock)
    on.start(1)
    clock.set_wall(START + timedelta(days=900))
    assert on.running
    clock.set_wall(datetime(1970, 1, 1, tzinfo=timezone.utc))
    await on.hear(SAID[0] + " " + SAID[1])
    clock.advance(60)
    assert not on.running
    await on.stop()
    assert "ferry" in await _kept(store)


async def test_what_the_guard_stops_is_kept_nowhere(store: Store, clock: ManualClock) -> None:
    on = listening(store, clock)
    on.start(10)
    await on.hear(SAID[0])
    await on.hear("I want to kill myself.")
    assert "kill" not in on.context
    await on.hear("half \ud83d a character")
    await on.stop()
    assert "kill" not in await _kept(store)
    assert "half a character" in " ".join((await _kept(store)).split())


async def test_what_the_guard_would_only_ask_about_is_kept(
    store: Store, clock: ManualClock
) -> None:
    class Doubtful:
        async def judge(self, text: str, *, side: Side) -> Verdict:
            return Verdict(action="care", topic="emergency")

    on = Listening(store, HashEmbedder(), Doubtful(), clock, ON)
    on.start(10)
    await on.hear(SAID[1])
    await on.stop()
    assert "vet in Hull" in await _kept(store)


async def test_a_full_disk_keeps_a_bounded_number_of_blocks_in_ram(
    store: Store, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    on = listening(store, clock)
    on.start(10)
    real = Store.write

    async def full(*args: object, **kwargs: object) -> None:
        raise StoreFailing("memory is full")

    monkeypatch.setattr(Store, "write", full)
    for _ in range(MOST_WAITING):
        for text in SAID:
            await on.hear(text)
    assert on.waiting == MOST_WAITING
    monkeypatch.setattr(Store, "write", real)
    await on.hear(SAID[0])
    assert on.waiting == 0
    assert len(await store.read(blocks.all_blocks)) >= MOST_WAITING


async def test_an_embedder_that_fails_costs_only_the_vector(
    store: Store, clock: ManualClock
) -> None:
    class Broken(HashEmbedder):
        async def embed_tokens(self, texts):  # type: ignore[no-untyped-def]
            raise EngineError("gone")

    on = Listening(store, Broken(), PatternGuard(), clock, ON)
    on.start(10)
    await on.hear(" ".join(SAID))
    await on.stop()
    assert await _kept(store) == " ".join(SAID)
    assert await store.read(blocks.unembedded, HashEmbedder().name, 9)
