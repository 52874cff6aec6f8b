"""Blocks of overheard talk: found, exported, expired, and gone to the last byte when erased."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import apsw
import numpy as np
import pytest

from companion.clock import ManualClock
from companion.errors import InputError
from companion.store import blocks, erase, text_index, token_bits, turn_index
from companion.store.database import Store
from companion.store.expiry import expire_blocks
from companion.store.export import export
from companion.store.migrations import MIGRATIONS, migrate

from .conftest import START, files

VECTOR = np.linspace(-1, 1, 64, dtype=np.float32)
BITS = token_bits.signs(np.stack([VECTOR, -VECTOR]))
CANARY = "wombatine"


def test_a_block_is_found_by_its_words_its_day_and_its_meaning(c: apsw.Connection) -> None:
    id = blocks.add(c, "Wanda's cat is called Mr. Plum.", START)
    blocks.add(c, "We need new tyres.", START + timedelta(days=1))
    blocks.put_vector(c, id, "e", VECTOR, BITS)
    assert [found for found, _ in blocks.search(c, "cats", 5)] == [id]
    assert next(found for found, _ in blocks.search(c, "28 April", 5)) == id
    [(near, cosine)] = blocks.nearest(c, VECTOR, 5, embedder="e")
    assert near == id
    assert cosine == pytest.approx(1)
    assert blocks.get_all(c, [id, 99]) == {
        id: blocks.Block(id, "Wanda's cat is called Mr. Plum.", START)
    }
    assert turn_index.search_turns(c, "cat", 5) == []  # no recall of the dialog finds it


def test_what_is_embedded_equals_what_is_indexed(c: apsw.Connection) -> None:
    blocks.add(c, "It rained.", START)
    [(text,)] = c.execute("SELECT text FROM block_texts").fetchall()
    assert text == blocks.block_text("It rained.", START)
    text_index.rebuild(c)
    assert len(blocks.search(c, "rained", 5)) == 1


@pytest.mark.parametrize(
    ("text", "time"),
    [("  ", START), ("half \ud83d", START), ("no zone", START.replace(tzinfo=None))],
)
def test_what_is_no_block_is_refused(c: apsw.Connection, text: str, time: datetime) -> None:
    with pytest.raises(InputError):
        blocks.add(c, text, time)
    assert blocks.all_blocks(c) == []


def test_a_block_without_a_vector_of_this_embedder_waits(c: apsw.Connection) -> None:
    """The program was killed between the two, or the embedder was changed."""
    first, second = (blocks.add(c, text, START) for text in ("one", "two"))
    blocks.put_vector(c, first, "old", VECTOR, BITS)
    blocks.put_vector(c, second, "new", VECTOR, BITS)
    assert [each.id for each in blocks.unembedded(c, "new", 9)] == [first]
    blocks.put_vector(c, first, "new", VECTOR, BITS)
    assert blocks.unembedded(c, "new", 9) == []
    blocks.put_vector(c, 99, "new", VECTOR, BITS)  # erased meanwhile: nothing happens


async def test_old_blocks_expire_by_lived_time(store: Store, clock: ManualClock) -> None:
    await store.write(blocks.add, "old", START)
    for _ in range(2):
        clock.advance(4 * 86_400)
        await store.write(blocks.add, "newer", clock.wall())
    assert await store.write(expire_blocks, 7.0) == 1
    assert [each.text for each in await store.read(blocks.all_blocks)] == ["newer", "newer"]
    assert await store.read(blocks.search, "old", 5) == []


@pytest.mark.parametrize("how", [erase.erase_all, erase.erase_blocks])
async def test_no_byte_of_what_was_overheard_is_left(plain: Store, how: object) -> None:
    for number in range(20):
        id = await plain.write(blocks.add, f"{CANARY} {number}", START)
        await plain.write(blocks.put_vector, id, "e", VECTOR, BITS)
    await plain.backup()
    assert _traces(plain.directory)
    await how(plain)  # type: ignore[operator]
    assert _traces(plain.directory) == []


async def test_what_was_overheard_is_exported(store: Store) -> None:
    await store.write(blocks.add, "the kettle is on", START)
    [held] = (await store.read(export))["overheard"]
    assert held["text"] == "the kettle is on"
    assert held["time"] == START.isoformat()


def test_a_store_of_before_gets_the_table(tmp_path: Path) -> None:
    from companion.store.connection import connect

    c = connect(tmp_path / "old.db", None)
    before = [each for each in MIGRATIONS if each.__name__ != "m009_blocks"]
    migrate(c, before)
    migrate(c, [each for each in MIGRATIONS if each not in before])
    assert blocks.add(c, "now", START) == 1
    c.close()


def _traces(directory: Path) -> list[str]:
    pieces = (CANARY.encode(), VECTOR.tobytes()[64:96], _unit()[64:96], BITS.tobytes())
    return [
        path.name for path, held in files(directory).items() if any(one in held for one in pieces)
    ]


def _unit() -> bytes:
    return bytes((VECTOR / np.linalg.norm(VECTOR)).astype("<f4").tobytes())
