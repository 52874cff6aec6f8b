"""The kind of a memory by the examples that it is like."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import apsw
import numpy as np
import pytest
from numpy.typing import NDArray

from companion import language
from companion.consolidation.lifespan import LASTING, LIFESPAN
from companion.consolidation.sort import UNSURE, KindClassifier, Sorting, learn
from companion.engines.embedding.onnx import OnnxEmbedder
from companion.records import Source
from companion.store import fading, memories
from tests.consolidation.conftest import World
from tests.fakes import HashEmbedder

UNHEARD = {
    "person": ("The user's sister is called Wanda.", "my uncle Bo mends clocks"),
    "pet": ("The user has a lizard named Zip.", "our dog is called Pepper"),
    "home": ("The user lives in Dundee.", "we live next to the station"),
    "health": ("The user is allergic to kiwi.", "I've got asthma"),
    "taste": ("The user's favourite animal is the lynx.", "I hate cucumber"),
    "fear": ("The user is afraid of wasps.", "I'm scared of the cellar"),
    "event": ("The user went to the circus with Wanda.", "we saw a hedgehog yesterday"),
    "plan": ("The user is going to the theatre on Saturday.", "tomorrow we go to the lake"),
    "mood": ("The user is sleepy.", "I'm so hungry"),
}
"""Said in none of the examples."""


async def add(world: World, text: str, kind: str = "fact", quote: str = "...") -> int:
    def stored(c: apsw.Connection) -> int:
        return memories.add(
            c,
            text,
            kind=kind,
            sources=[Source("s", 1, quote)],
            vector=None,
            embedder="",
            now=world.clock.wall(),
        )

    return await world.store.write(stored)


async def kind_after_a_night(world: World, id: int) -> str:
    await world.night()
    memory = await world.store.read(memories.get, id)
    assert memory is not None
    return memory.kind


def test_every_kind_of_the_examples_has_a_lifespan() -> None:
    assert language.kinds.examples().keys() <= LIFESPAN.keys()


async def test_a_memory_that_is_an_example_gets_its_kind(world: World) -> None:
    id = await add(world, "The user's teacher is Mrs Alder.")
    assert await kind_after_a_night(world, id) == "person"
    assert await world.store.read(fading.unsorted, 5) == []


@pytest.mark.parametrize(
    ("text", "kind", "quote"),
    [
        ("The user is allergic to figs.", "fact", "figs make me ill"),
        ("The user's tongue itches.", "event", "my tongue itches, I'm allergic to figs"),
        ("The user's birthday is on 3 June.", "profile", "on 3 June"),
    ],
)
async def test_health_by_its_words_is_for_good(
    world: World, text: str, kind: str, quote: str
) -> None:
    """Whatever the examples say: by the memory's own words, or by those it rests on."""
    assert await kind_after_a_night(world, await add(world, text, kind, quote)) == "profile"


class CountingEmbedder(HashEmbedder):
    """Counts the texts of each call."""

    def __init__(self) -> None:
        super().__init__(256)
        self.calls: list[int] = []

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(len(texts))
        return await super().embed(texts)


async def test_examples_are_embedded_once_and_only_when_there_is_something_new(
    world: World,
) -> None:
    embedder = CountingEmbedder()
    step = Sorting(embedder, world.store)
    assert await world.store.read(step.pending) == []
    await add(world, "The user likes tea.")
    await add(world, "The user likes milk.")
    for unit in await world.store.read(step.pending):
        await step.infer(unit)
    known = sum(map(len, language.kinds.examples().values()))
    assert sum(embedder.calls) == known + 2
    assert max(embedder.calls) <= 16, "somebody who speaks would wait"


async def test_a_memory_erased_meanwhile_is_no_trouble(world: World) -> None:
    step = Sorting(HashEmbedder(256), world.store)
    assert await step.infer(("", 99)) is None


def test_what_is_between_lasting_and_passing_is_unsure() -> None:
    """The best single kind says "event", all lasting ones together say "lasting"."""
    east, north, west = np.eye(3, dtype=np.float32)
    vectors = np.stack([east, north, west])
    kinds = KindClassifier(
        vectors.repeat(20, axis=0), [*["pet"] * 20, *["taste"] * 20, *["event"] * 20]
    )
    mixed = np.array([0.55, 0.55, 0.6], np.float32)
    assert kinds.kind(east) == "pet"
    assert kinds.kind(mixed / np.linalg.norm(mixed)) == UNSURE


@pytest.fixture
async def minilm(embedder_dir: Path) -> AsyncIterator[OnnxEmbedder]:
    embedder = await OnnxEmbedder.load(embedder_dir, name="minilm-int8", threads=1)
    yield embedder
    await embedder.close()


async def test_sentences_that_are_no_examples_find_their_lifespan(minilm: OnnxEmbedder) -> None:
    known = {text for texts in language.kinds.examples().values() for text in texts}
    classifier = await learn(minilm)
    for kind, texts in UNHEARD.items():
        assert known.isdisjoint(texts)
        for text, vector in zip(texts, await minilm.embed(texts), strict=True):
            found = classifier.kind(vector)
            assert (found in LASTING) == (kind in LASTING), f"{text} {found}"
            assert (found == "health") == (kind == "health"), text
