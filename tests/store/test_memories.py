from __future__ import annotations

import math

import apsw
import numpy as np
import pytest

from companion.clock import ManualClock
from companion.errors import StoreError
from companion.records import Memory, Source
from companion.store import lived, memories, token_bits
from companion.store.database import Store

from .conftest import START

DAY = 86_400.0
SOURCE = Source("s", 1, "my dog Rex")
NORTH = np.array([1, 0, 0, 0], dtype=np.float32)


async def add(store: Store, text: str, source: Source = SOURCE) -> int:
    return await store.write(
        memories.add,
        text,
        kind="fact",
        sources=[source],
        vector=NORTH,
        embedder="m",
        now=START,
        tokens=token_bits.signs(NORTH[None]),
    )


async def get(store: Store, id: int) -> Memory:
    memory = await store.read(memories.get, id)
    assert memory is not None
    return memory


async def found(store: Store) -> tuple[set[int], set[int]]:
    """What meaning finds, and what words find."""
    near = await store.read(memories.nearest, NORTH, 10, embedder="m")
    words = await store.read(memories.search, "dog", 10)
    return {id for id, _ in near}, {id for id, _ in words}


async def test_a_memory_keeps_all_that_it_was_given(store: Store) -> None:
    id = await store.write(
        memories.add,
        "Mia's birthday is on 3 May",
        kind="event",
        sources=[SOURCE, Source("s", 4, "my birthday"), SOURCE],
        vector=None,
        embedder="m",
        now=START,
        event_time="2023-05-03",
    )
    memory = await get(store, id)
    assert memory == Memory(
        id=id,
        text="Mia's birthday is on 3 May",
        kind="event",
        created=START,
        last_used=START,
        strength=1.0,
        retention=1.0,
        event_time="2023-05-03",
        sources=(SOURCE, Source("s", 4, "my birthday")),
    )
    assert await store.read(memories.get, id + 1) is None


async def test_retention_fades_with_lived_days_and_a_retrieval_renews_it(
    store: Store, clock: ManualClock
) -> None:
    id = await add(store, "Rex is a dog")
    clock.advance(3 * DAY)
    await store.write(lived.now)
    assert (await get(store, id)).retention == pytest.approx(math.exp(-3))
    await store.write(memories.touch, [id], clock.wall())
    memory = await get(store, id)
    assert (memory.strength, memory.retention, memory.last_used) == (2, 1, clock.wall())
    clock.advance(4 * DAY)
    await store.write(lived.now)
    assert (await get(store, id)).retention == pytest.approx(math.exp(-4 / 2))


async def test_a_superseded_memory_is_hidden_linked_and_can_come_back(store: Store) -> None:
    old, new = await add(store, "The dog is called Rex"), await add(store, "The dog is Max")
    await store.write(memories.supersede, old, new)
    assert await found(store) == ({new}, {new})
    hidden = await get(store, old)
    assert (hidden.status, hidden.superseded_by) == ("superseded", new)
    await store.write(memories.undo_supersede, old)
    assert await found(store) == ({old, new}, {old, new})
    assert (await get(store, old)).superseded_by is None


async def test_an_archived_memory_is_hidden_and_restored_afresh(
    store: Store, clock: ManualClock
) -> None:
    id = await add(store, "Rex is a dog")
    clock.advance(5 * DAY)
    await store.write(memories.archive, id)
    assert await found(store) == (set(), set())
    assert [m.id for m in await store.read(memories.list_memories, "archived")] == [id]
    clock.advance(2 * DAY)
    await store.write(lived.now)
    assert await store.read(memories.archived_days, id) == pytest.approx(2)
    await store.write(memories.restore, id)
    assert await found(store) == ({id}, {id})
    assert (await get(store, id)).retention == 1


async def test_removal_takes_the_whole_chain_and_nothing_else(store: Store) -> None:
    first, second, third, other = [await add(store, f"dog {n}") for n in range(4)]
    await store.write(memories.supersede, first, second)
    await store.write(memories.supersede, second, third)
    assert await store.write(memories.remove, third) == [first, second, third]
    assert await found(store) == ({other}, {other})
    for table in ("memories", "memory_vectors", "sources"):
        assert await store.read(count, table) == 1
    assert await add(store, "dog again") > other


async def test_removing_an_old_link_leaves_its_successor(store: Store) -> None:
    old, new = await add(store, "dog 1"), await add(store, "dog 2")
    await store.write(memories.supersede, old, new)
    assert await store.write(memories.remove, old) == [old]
    assert await found(store) == ({new}, {new})


async def test_pinning_is_kept(store: Store) -> None:
    id = await add(store, "dog")
    await store.write(memories.pin, id, True)
    assert (await get(store, id)).pinned
    await store.write(memories.pin, id, False)
    assert not (await get(store, id)).pinned


@pytest.mark.parametrize(
    "step",
    [memories.archive, memories.restore, memories.undo_supersede, memories.archived_days],
)
async def test_what_cannot_be_done_to_a_memory_is_named(store: Store, step: object) -> None:
    old, new = await add(store, "dog 1"), await add(store, "dog 2")
    await store.write(memories.supersede, old, new)
    with pytest.raises(StoreError, match="there is no memory 99"):
        await store.write(step, 99)  # type: ignore[arg-type]
    wrong = new if step is memories.undo_supersede else old
    with pytest.raises(StoreError, match=f"memory {wrong} is"):
        await store.write(step, wrong)  # type: ignore[arg-type]


async def test_a_memory_cannot_give_way_to_itself_or_to_a_hidden_one(store: Store) -> None:
    old, new, third = [await add(store, f"dog {n}") for n in range(3)]
    await store.write(memories.supersede, old, new)
    for pair in ((third, third), (third, old), (third, 99)):
        with pytest.raises(StoreError, match="cannot take the place"):
            await store.write(memories.supersede, *pair)


async def test_embedding_waits_for_active_memories_without_a_vector_of_this_model(
    store: Store,
) -> None:
    held, old = await add(store, "dog 1"), await add(store, "dog 2")
    await store.write(memories.supersede, old, held)
    assert await store.read(memories.unembedded_memories, "m", 10) == []
    (waiting,) = await store.read(memories.unembedded_memories, "n", 10)
    assert waiting.id == held
    await store.write(memories.put_vector, held, "n", NORTH[:3])
    assert len(await store.read(memories.unembedded_memories, "n", 10)) == 1, (
        "its tokens are missing"
    )
    bits = token_bits.signs(NORTH[None, :3])
    await store.write(memories.put_vector, held, "n", NORTH[:3], bits)
    assert await store.read(memories.unembedded_memories, "n", 10) == []
    assert await store.read(memories.nearest, NORTH[:3], 5, embedder="n") == [(held, 1.0)]
    assert await store.read(memories.nearest, NORTH, 5, embedder="m") == []


async def test_a_vector_for_a_memory_that_is_gone_is_dropped(store: Store) -> None:
    await store.write(memories.put_vector, 7, "m", NORTH)
    assert await store.read(count, "memory_vectors") == 0


def count(c: apsw.Connection, table: str) -> int:
    return int(c.execute(f"SELECT count(*) FROM {table}").get)
