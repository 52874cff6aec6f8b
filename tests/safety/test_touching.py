"""What touches something that was told of, also where the network or the embedder fails."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.engines.protocols import Embedder, TextVectors
from companion.errors import EngineError
from companion.safety import touching
from companion.safety.health import Health, Networks
from tests.fakes import HashEmbedder
from tests.fakes_kinds import BrokenKinds, FixedKinds

PEANUTS = "peanuts make my tongue go all fat and itchy"
SATAY = "they're giving out satay sticks and i'm having one"
FOX = "we saw a fox by the shed"


@pytest.mark.parametrize(
    ("told", "about"),
    [
        (PEANUTS, "peanuts"),
        ("the child has coeliac disease", "coeliac"),
        ("it makes me go all funny", "it makes me go all funny"),
    ],
)
def test_what_was_told_of_is_named_as_the_tables_do(told: str, about: str) -> None:
    assert touching.subject(told) == about


async def test_without_a_network_the_regression_decides(embedder: Embedder) -> None:
    for networks in (None, Networks(BrokenKinds(), BrokenKinds())):
        health = Health(embedder, networks)
        assert await health.met(SATAY, [PEANUTS]) == [PEANUTS]
        assert await health.met(FOX, [PEANUTS]) == []
        told = await health.tells("i'm allergic to kiwi")
        assert told is not None
        assert told.whose == "own"
        assert await health.tells(FOX) is None


async def test_without_an_embedder_the_tables_decide() -> None:
    health = Health(HashEmbedder())
    assert await health.met("can i have some satay", [PEANUTS]) == [PEANUTS]
    assert await health.met(FOX, [PEANUTS]) == []


async def test_the_network_is_asked_of_each_thing_and_each_part(embedder: Embedder) -> None:
    """And what two parts touch is said once."""
    network = FixedKinds({"satay": "yes", "fox": "none"})
    health = Health(embedder, Networks(network, network))
    said = "and then we walked for ages and ages and my legs hurt and dad sang. " * 3 + SATAY
    assert await health.met(said, [PEANUTS, "dogs make me sneeze"]) == [PEANUTS]
    assert any(each.startswith("peanuts ") for each in network.asked)


async def test_an_embedder_that_fails_in_the_middle_leaves_it_to_the_tables(
    embedder: Embedder,
) -> None:
    health = Health(Failing(embedder, after=2))
    assert await health.met("can i have some satay", [PEANUTS]) == [PEANUTS]


class Failing:
    """An embedder that fails after some calls."""

    def __init__(self, embedder: Embedder, after: int) -> None:
        self._embedder = embedder
        self._left = after
        self.name, self.dimension = embedder.name, embedder.dimension

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self._left -= 1
        if self._left < 0:
            raise EngineError("the embedder is gone")
        return await self._embedder.embed(texts)

    async def embed_tokens(self, texts: Sequence[str]) -> list[TextVectors]:
        return await self._embedder.embed_tokens(texts)

    async def close(self) -> None:
        """Another owns it."""


async def test_nothing_told_nothing_touched(embedder: Embedder) -> None:
    assert await Health(embedder).met(SATAY, []) == []
