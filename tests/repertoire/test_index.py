"""Looking up: pure, over vectors of any embedder."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from companion.engines.protocols import TextVectors
from companion.repertoire import packs, vectors
from companion.repertoire.index import Index, Vectors
from companion.repertoire.packs import Entry
from companion.repertoire.vectors import StoredVectors
from tests.fakes import HashEmbedder

KITE = Entry("a/kite", ("my kite flew", "the kite went up", "i flew a kite"), (), ("Up!",))
BOAT = Entry("a/boat", ("my boat sank", "the boat went down", "i sank a boat"), (), ("Down!",))


async def indexed(*entries: Entry) -> tuple[Index, StoredVectors]:
    known = StoredVectors()
    await known.complete(packs.texts(entries), HashEmbedder())
    return Index(entries, known.of), known


async def vector(said: str) -> Vectors:
    found: Vectors = (await HashEmbedder().embed([said]))[0]
    return found


async def test_the_nearest_entry_comes_first_with_its_lead() -> None:
    index, _ = await indexed(KITE, BOAT)
    first, second = index.nearest("my kite flew", await vector("my kite flew"))
    assert (first.entry, first.wording) == (KITE, "my kite flew")
    assert first.likeness.cosine == pytest.approx(1, abs=1e-3)
    assert first.likeness.lead == pytest.approx(-second.likeness.lead, abs=1e-6)
    assert first.likeness.uncovered == 0


async def test_what_wants_another_answer_vetoes_its_entry_only() -> None:
    wary = Entry("a/kite", KITE.says, ("my kite never flew",), KITE.replies)
    index, known = await indexed(wary, BOAT)
    said = "my kite never flew"
    near = index.nearest(said, known.of(said))[0]
    assert near.entry is wary
    assert near.likeness.ahead_of_unlike < 0
    assert near.likeness.denied
    assert near.certainty == 0


async def test_entries_that_share_a_wording_do_not_stand_in_each_others_way() -> None:
    other = Entry("b/kite", ("my kite flew", "wind took it", "look at it go"), (), ("Wow!",))
    index, known = await indexed(KITE, other, BOAT)
    found = index.nearest("my kite flew", known.of("my kite flew"))
    assert {near.entry.id for near in found[:2]} == {"a/kite", "b/kite"}
    assert found[0].likeness.lead > 0.2


async def test_an_entry_for_another_age_is_not_near() -> None:
    small = Entry("a/kite", KITE.says, (), KITE.replies, ages=(3, 5))
    index, known = await indexed(small, BOAT)
    asked = "my kite flew", known.of("my kite flew")
    assert index.nearest(*asked, age=4)[0].entry is small
    assert index.nearest(*asked, age=9)[0].entry is BOAT


async def test_a_detail_that_the_wording_lacks_shows_in_its_tokens() -> None:
    index, known = await indexed(KITE, BOAT)
    embedder = HashEmbedder()
    said = "my kite flew into grandpa"
    near = index.nearest(said, await vector(said))[0]
    own, other = await embedder.embed_tokens([said, near.wording])
    looked = index.aligned(near, said, own, other).likeness
    assert looked.least < 0.5 < looked.least_back
    nothing = TextVectors(known.of("my kite flew"), np.empty((0, 64), np.float32), own.spans[:0])
    assert index.aligned(near, said, nothing, other) == near


async def test_nothing_is_near_an_empty_repertoire_or_no_words() -> None:
    assert Index((), StoredVectors().of).nearest("hello", await vector("hello")) == []
    index, _ = await indexed(KITE)
    assert index.nearest("", await vector("")) == []


def test_a_lookup_among_all_shipped_wordings_is_quick() -> None:
    entries = [each for file in packs.files(packs.SHIPPED) for each in packs.read_file(file)]
    known = vectors.read(vectors.SHIPPED)
    index = Index(entries, known.of)
    said = entries[0].says[0]
    index.nearest(said, known.of(said))
    took = []
    for _ in range(20):
        began = time.perf_counter()
        index.nearest(said, known.of(said))
        took.append(time.perf_counter() - began)
    assert min(took) < 0.01  # about 1.5 ms; the machine of the tests is busy


async def test_stored_vectors_survive_their_file(tmp_path: Path) -> None:
    file = tmp_path / "own" / "vectors.npz"
    _, known = await indexed(KITE)
    known.write(file)
    again = vectors.read(file)
    assert again.holds(packs.texts([KITE]))
    assert float(again.of("my kite flew") @ known.of("my kite flew")) > 0.999
    file.write_bytes(file.read_bytes()[:100])
    assert len(vectors.read(file)) == 0
    assert len(vectors.read(file.with_name("none.npz"))) == 0
