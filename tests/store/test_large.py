"""What only shows in a store with more than ten thousand memories."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import apsw
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.store import memories
from companion.store.connection import connect, transaction
from companion.store.migrations import MIGRATIONS, migrate

from .conftest import START

ROWS = 11_000
AXES = np.random.default_rng(1).normal(size=(60, 384))


def sentence_like(rng: np.random.Generator, n: int) -> NDArray[np.float32]:
    """Unit vectors with few strong directions and noise, as sentence embeddings have them."""
    found: NDArray[Any] = rng.normal(size=(n, 60)) * np.linspace(2, 0.3, 60) @ AXES
    found += 1.5 * rng.normal(size=found.shape)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found.astype(np.float32)


@pytest.fixture(scope="module")
def vectors() -> NDArray[np.float32]:
    return sentence_like(np.random.default_rng(2), ROWS)


@pytest.fixture(scope="module")
def large(
    tmp_path_factory: pytest.TempPathFactory, vectors: NDArray[np.float32]
) -> Iterator[apsw.Connection]:
    c = connect(tmp_path_factory.mktemp("large") / "large.db", None)
    migrate(c, MIGRATIONS)
    with transaction(c):
        for n, vector in enumerate(vectors, start=1):
            thing, colour = ("kites", "boats")[n % 2], ("red", "blue", "blue")[n % 3]
            text = "you like foxes" if n == 7_000 else f"you like {colour} {thing}, {n} of them"
            memories.add(c, text, kind="fact", sources=[], vector=vector, embedder="e", now=START)
    yield c
    c.close()


@pytest.mark.parametrize("k", [10, 40])
def test_all_of_the_true_nearest_are_found(
    large: apsw.Connection, vectors: NDArray[np.float32], k: int
) -> None:
    rng = np.random.default_rng(3)
    for near in rng.integers(0, ROWS, 30):
        query = vectors[near] + 0.6 * sentence_like(rng, 1)[0]
        true = set((np.argsort(-vectors @ query)[:k] + 1).tolist())
        assert {id for id, _ in memories.nearest(large, query, k, embedder="e")} == true


def test_a_rare_word_is_found_without_ranking_every_row_that_holds_a_frequent_one(
    large: apsw.Connection,
) -> None:
    assert [id for id, _ in memories.search(large, "do you like a fox", 100)] == [7_000]


def test_a_frequent_word_alone_is_still_looked_for(large: apsw.Connection) -> None:
    assert len(memories.search(large, "you", 100)) == 100


def test_a_word_that_nobody_said_does_not_keep_a_frequent_one_from_being_looked_for(
    large: apsw.Connection,
) -> None:
    assert len(memories.search(large, "your zebra likes you", 100)) == 100


def test_rows_with_two_frequent_words_come_before_those_with_one(large: apsw.Connection) -> None:
    found = [id for id, _ in memories.search(large, "red kites", 100)]
    assert [id for id in found if id % 6 == 0] == found
