"""Sign bits in memory: in step with the tables, whatever becomes of a change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.store import log, memories, sign_bits, turn_index
from companion.store.connection import connect, rows, transaction
from companion.store.migrations import MIGRATIONS, migrate
from companion.store.sign_bits import MANY_CHANGES, SignBits

from .changes import CHANGES, change, ids
from .conftest import START

AXES = np.eye(8, dtype=np.float32)
OPERATIONS = ("add", "again", *CHANGES, "search", "fail")


class Undone(Exception):
    """Rolls a transaction back."""


@pytest.fixture
def reader(c: apsw.Connection) -> Iterator[apsw.Connection]:
    """Another process, in effect: it sees what has been committed."""
    connection = connect(Path(c.filename), None, reader=True)
    yield connection
    connection.close()


def add(c: apsw.Connection, vector: NDArray[np.float32]) -> int:
    return memories.add(c, "m", kind="fact", sources=[], vector=vector, embedder="e", now=START)


def held(c: apsw.Connection) -> SignBits:
    return sign_bits.of(c, "memory_vectors", 1, 8)


def proposed(bits: SignBits) -> list[int]:
    """Everything that a search might find."""
    return sorted(bits.nearest(AXES[0], 10_000))


def findable(c: apsw.Connection) -> list[int]:
    active = "SELECT id FROM memories WHERE status = 'active'"
    return [id for (id,) in c.execute(f"SELECT id FROM memory_vectors WHERE id IN ({active})")]


@given(
    steps=st.lists(
        st.lists(st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 7)), max_size=6),
        max_size=8,
    )
)
@settings(max_examples=60, deadline=None)
def test_they_follow_every_change_and_every_one_that_was_taken_back(
    steps: list[list[tuple[str, int]]],
) -> None:
    c = connect(None, None)
    migrate(c, MIGRATIONS)
    for operations in steps:
        try:
            with transaction(c):
                for operation, n in operations:
                    apply(c, operation, n)
        except Undone:
            pass
        bits = held(c)
        assert proposed(bits) == findable(c)
        assert len(bits) == len(findable(c))
        anew = SignBits(8)
        anew.put(rows(c, "SELECT id, bits FROM memory_vectors"))
        expected = [id for id in anew.nearest(AXES[3], 99) if id in findable(c)]
        assert bits.nearest(AXES[3], 99) == expected
    c.close()


def apply(c: apsw.Connection, operation: str, n: int) -> None:
    """One operation, on the nth row where it needs one."""
    if operation == "add":
        add(c, AXES[n])
    elif operation == "again" and (every := ids(c)):
        memories.put_vector(c, every[n % len(every)], "e", AXES[n])
    elif operation == "search":
        assert proposed(held(c)) == findable(c)
    elif operation == "fail":
        raise Undone
    else:
        change(c, operation, n)


def test_nothing_of_a_removed_row_stays_until_the_next_search(c: apsw.Connection) -> None:
    for axis in AXES:
        add(c, axis)
    bits = held(c)
    memories.remove(c, 3)
    assert 3 not in proposed(bits)
    assert len(bits) == 7


def test_a_session_takes_the_bits_of_its_turns_along(c: apsw.Connection) -> None:
    north, east, *_ = AXES
    for session in ("stays", "goes"):
        log.import_messages(c, session, [("user", "Hi", START)])
        turn_index.put_turn_vectors(c, session, 1, "e", east, north)
    held_of = {table: sign_bits.of(c, table, 1, 8) for table in ("turn_vectors", "query_vectors")}
    c.execute("DELETE FROM sessions WHERE id = 'goes'")  # by cascade
    assert [proposed(bits) for bits in held_of.values()] == [[1], [1]]


def test_what_another_process_commits_is_seen(c: apsw.Connection, reader: apsw.Connection) -> None:
    first, second = add(c, AXES[1]), add(c, AXES[2])
    assert proposed(held(reader)) == [first, second]
    memories.archive(c, first)
    assert proposed(held(reader)) == [second]


def test_very_many_changes_are_followed_too(c: apsw.Connection) -> None:
    with transaction(c):
        add(c, AXES[0])
        assert proposed(held(c)) == [1]
    assert proposed(held(c)) == [1]
    with transaction(c):
        for _ in range(MANY_CHANGES + 1):
            add(c, AXES[1])
    assert len(held(c)) == MANY_CHANGES + 2


def test_vectors_of_one_embedder_alone_are_held(c: apsw.Connection) -> None:
    add(c, AXES[0])
    memories.add(c, "m", kind="fact", sources=[], vector=AXES[1], embedder="f", now=START)
    assert [proposed(sign_bits.of(c, "memory_vectors", n, 8)) for n in (1, 2, 1)] == [[1], [2], [1]]


@pytest.mark.parametrize("dimension", [1, 12, 64, 70, 384])
def test_a_vector_is_nearest_to_itself_in_any_dimension(dimension: int) -> None:
    rng = np.random.default_rng(dimension)
    vectors = rng.normal(size=(40 if dimension > 8 else 1, dimension)).astype(np.float32)
    bits = SignBits(dimension)
    bits.put([(id, sign_bits.packed(vector)) for id, vector in enumerate(vectors, start=1)])
    assert [bits.nearest(vector, 1) for vector in vectors] == [[n + 1] for n in range(len(vectors))]


def test_of_many_that_are_alike_no_more_than_were_asked_for_are_proposed() -> None:
    bits = SignBits(8)
    bits.put([(id, sign_bits.packed(AXES[0])) for id in range(1, 5_000)])
    assert bits.nearest(AXES[0], 3) == [1, 2, 3]
    assert len(bits.nearest(-AXES[0], 4_000)) == 4_000
