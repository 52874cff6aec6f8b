"""What was embedded lately is not embedded again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.engines.embedding.cached import HELD, CachedEmbedder
from tests.fakes import HashEmbedder


class Counting(HashEmbedder):
    """Notes what it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return await super().embed(texts)


async def test_a_text_is_embedded_once_while_it_is_recent() -> None:
    counting = Counting()
    embedder = CachedEmbedder(counting)
    expected = await HashEmbedder().embed(["a whale", "a ship", "a whale"])
    np.testing.assert_array_equal(await embedder.embed(["a whale", "a ship", "a whale"]), expected)
    np.testing.assert_array_equal(await embedder.embed(["a ship"]), expected[1:2])
    assert counting.asked == ["a whale", "a ship"]


async def test_what_it_returned_may_be_changed() -> None:
    embedder = CachedEmbedder(Counting())
    first = await embedder.embed(["a whale"])
    before = first.copy()
    first[:] = 0
    np.testing.assert_array_equal(await embedder.embed(["a whale"]), before)


async def test_only_so_many_are_held_and_the_oldest_goes_first() -> None:
    counting = Counting()
    embedder = CachedEmbedder(counting)
    await embedder.embed(["kept"])
    await embedder.embed([str(number) for number in range(HELD - 1)])
    await embedder.embed(["kept"])
    await embedder.embed(["one more"])
    counting.asked.clear()
    await embedder.embed(["kept", "0"])
    assert counting.asked == ["0"]


async def test_more_than_it_can_hold_is_embedded_in_order() -> None:
    texts = [str(number) for number in range(3 * HELD)]
    vectors = await CachedEmbedder(Counting()).embed(texts)
    np.testing.assert_array_equal(vectors, await HashEmbedder().embed(texts))
