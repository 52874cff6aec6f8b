from __future__ import annotations

import contextlib
import re
from datetime import datetime
from typing import Any

import apsw
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.errors import StoreError
from companion.records import Role
from companion.store import history, log, memories, token_bits, turn_index
from companion.store.connection import connect, transaction
from companion.store.migrations import MIGRATIONS, migrate
from companion.store.turn_index import Side
from companion.store.vectors import CANDIDATES

from .changes import CHANGES, change, ids
from .conftest import START

AXES = np.eye(8, dtype=np.float32)
OPERATIONS = ("add", "embed again", *CHANGES, "fail")


class Undone(Exception):
    """Rolls a transaction back."""


def add_memories(c: apsw.Connection, found: NDArray[np.float32]) -> None:
    with transaction(c):
        add_memories_within(c, found)


def add_memories_within(c: apsw.Connection, found: NDArray[np.float32]) -> None:
    """Inside the caller's transaction."""
    for vector in found:
        memories.add(c, "m", kind="fact", sources=[], vector=vector, embedder="e", now=START)


def add_turns(c: apsw.Connection, session: str, n: int, vector: NDArray[np.float32]) -> None:
    """Turns whose text is like `vector` and whose question is its opposite."""
    said: list[tuple[Role, str, datetime]] = [("user", "Hi", START)] * n
    with transaction(c):
        log.import_messages(c, session, said)
        for number in range(1, n + 1):
            turn_index.put_turn_vectors(c, session, number, "e", -vector, vector)


def tokens_of(said: NDArray[np.float32]) -> token_bits.TurnTokens:
    """Of a turn without a reply."""
    return token_bits.TurnTokens(token_bits.signs(said), token_bits.signs(said[:0]))


def test_search_is_exact(c: apsw.Connection) -> None:
    rng = np.random.default_rng(1)
    held = rng.normal(size=(300, 48)).astype(np.float32)
    held /= np.linalg.norm(held, axis=1, keepdims=True)
    add_memories(c, held)
    query = held[17] + 0.3 * held[4]
    expected = np.argsort(-held @ query)[:10] + 1
    found = memories.nearest(c, query, 10, embedder="e")
    assert [id for id, _ in found] == expected.tolist()
    cosines = np.sort(held @ (query / np.linalg.norm(query)))[::-1][:10]
    assert [score for _, score in found] == pytest.approx(cosines.tolist(), abs=1e-5)


def test_a_search_of_more_than_is_compared_exactly_finds_the_nearest(c: apsw.Connection) -> None:
    rng = np.random.default_rng(2)
    held = rng.normal(size=(CANDIDATES + 1_000, 384)).astype(np.float32)
    add_memories(c, held)
    for at in range(0, len(held), 500):
        query = held[at] + 0.8 * rng.normal(size=384).astype(np.float32)
        cosines = held @ query / np.linalg.norm(held, axis=1)
        expected = np.argsort(-cosines, kind="stable")[:10] + 1
        found = [id for id, _ in memories.nearest(c, query, 10, embedder="e")]
        assert found[0] == at + 1
        assert len(set(found) & set(expected.tolist())) >= 9


def test_hidden_memories_take_no_places_in_a_search(c: apsw.Connection) -> None:
    north = np.eye(16, dtype=np.float32)[0]
    add_memories(c, np.tile(north, (5, 1)))
    add_memories(c, -north[None])
    with transaction(c):
        for id in range(1, 6):
            memories.archive(c, id)
    assert memories.nearest(c, north, 3, embedder="e") == [(6, -1.0)]


def test_of_equal_vectors_the_older_come_first(c: apsw.Connection) -> None:
    north = np.full(384, 0.3, dtype=np.float32)
    add_memories(c, np.tile(north, (50, 1)))
    memories.put_vector(c, 2, "e", north)
    found = memories.nearest(c, north, 40, embedder="e")
    assert [id for id, _ in found] == list(range(1, 41))
    every = memories.similarity(c, range(50, 0, -1), north, embedder="e")
    assert list(every) == list(range(1, 51))
    assert len(set(every.values())) == 1


@given(
    steps=st.lists(
        st.lists(st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 7)), max_size=6),
        max_size=8,
    )
)
@settings(max_examples=60, deadline=None)
def test_active_memories_are_found_whatever_was_changed_or_taken_back(
    steps: list[list[tuple[str, int]]],
) -> None:
    c = connect(None, None)
    migrate(c, MIGRATIONS)
    for operations in steps:
        with contextlib.suppress(Undone), transaction(c):
            for operation, n in operations:
                apply(c, operation, n)
        active = [memory.id for memory in memories.list_memories(c, "active")]
        found = memories.nearest(c, AXES[3], 1_000, embedder="e")
        assert sorted(id for id, _ in found) == active
    c.close()


def apply(c: apsw.Connection, operation: str, n: int) -> None:
    """One operation, on the nth memory where it needs one."""
    if operation == "add":
        add_memories_within(c, AXES[n : n + 1])
    elif operation == "embed again" and (every := ids(c)):
        memories.put_vector(c, every[n % len(every)], "e", AXES[n])
    elif operation == "fail":
        raise Undone
    else:
        change(c, operation, n)


def test_a_session_takes_the_vectors_of_its_turns_along(c: apsw.Connection) -> None:
    add_turns(c, "stays", 1, AXES[0])
    add_turns(c, "goes", 2, AXES[0])
    c.execute("DELETE FROM sessions WHERE id = 'goes'")  # by cascade
    sides: tuple[Side, Side] = ("turn", "query")
    for of in sides:
        found = turn_index.nearest_turns(c, AXES[0], 9, embedder="e", of=of)
        assert [(session, number) for session, number, _ in found] == [("stays", 1)]


def test_vectors_of_two_embedders_do_not_meet(c: apsw.Connection) -> None:
    add_memories(c, AXES[:1])
    memories.add(c, "m", kind="fact", sources=[], vector=AXES[0], embedder="f", now=START)
    assert memories.nearest(c, AXES[0], 9, embedder="e") == [(1, 1.0)]
    assert memories.nearest(c, AXES[0], 9, embedder="f") == [(2, 1.0)]


@pytest.mark.parametrize("dimension", [1, 12, 64, 70, 384])
def test_a_vector_is_nearest_to_itself_in_any_dimension(c: apsw.Connection, dimension: int) -> None:
    rng = np.random.default_rng(dimension)
    found = rng.normal(size=(40 if dimension > 8 else 1, dimension)).astype(np.float32)
    add_memories(c, found)
    for id, vector in enumerate(found, start=1):
        ((nearest, cosine),) = memories.nearest(c, vector, 1, embedder="e")
        assert nearest == id
        assert cosine == pytest.approx(1)


def test_turns_can_be_sought_everywhere_or_in_one_session(c: apsw.Connection) -> None:
    north, east, *_ = np.eye(16, dtype=np.float32)
    add_turns(c, "here", 5, north)
    add_turns(c, "there", 1, north + east)

    def nearest(**where: Any) -> list[tuple[str, int]]:
        found = turn_index.nearest_turns(c, north, 3, embedder="e", **where)
        return [(session, number) for session, number, _ in found]

    assert nearest(session="there") == [("there", 1)]
    assert nearest() == [("here", 1), ("here", 2), ("here", 3)]
    assert nearest(session="here") == nearest()
    assert nearest(session="nowhere") == []
    (_, _, score), *_ = turn_index.nearest_turns(c, -north, 1, embedder="e", of="query")
    assert score == 1.0


def test_a_reply_makes_a_turn_wait_for_embedding_again(c: apsw.Connection) -> None:
    session = log.start_session(c, START)
    log.append(c, session, "user", "Hi", START)
    north = np.eye(4, dtype=np.float32)[0]
    turn_index.put_turn_vectors(c, session, 1, "e", north, north)
    assert len(turn_index.unembedded_turns(c, "e", 9)) == 1, "its tokens are missing"
    turn_index.put_turn_vectors(c, session, 1, "e", north, north, tokens_of(AXES[:2]))
    assert turn_index.unembedded_turns(c, "e", 9) == []
    log.append(c, session, "assistant", "Hello", START)
    assert token_bits.of_turns(c, [(session, 1)], "e") == {}
    assert turn_index.unembedded_turns(c, "e", 9) == history.turns(c, session)
    assert turn_index.nearest_turns(c, north, 9, embedder="e") == []


def test_a_turn_that_the_companion_opened_is_not_found_by_what_was_asked(
    c: apsw.Connection,
) -> None:
    session = log.start_session(c, START)
    log.append(c, session, "assistant", "Hello", START)
    north = np.eye(4, dtype=np.float32)[0]
    turn_index.put_turn_vectors(c, session, 1, "e", None, north)
    assert turn_index.nearest_turns(c, north, 9, embedder="e", of="query") == []
    assert turn_index.nearest_turns(c, north, 9, embedder="e") == [(session, 1, 1.0)]


def test_vectors_for_a_turn_that_is_gone_are_dropped(c: apsw.Connection) -> None:
    north = np.eye(4, dtype=np.float32)[0]
    turn_index.put_turn_vectors(c, "gone", 1, "e", None, north)
    assert turn_index.nearest_turns(c, north, 9, embedder="e") == []


def test_another_dimension_under_the_same_name_is_refused(c: apsw.Connection) -> None:
    add_memories(c, np.eye(4, dtype=np.float32)[:1])
    wide = np.eye(6, dtype=np.float32)[0]
    with pytest.raises(StoreError, match="gives 6 numbers, but the store holds 4"):
        memories.nearest(c, wide, 1, embedder="e")
    with pytest.raises(StoreError, match="gives 6 numbers, but the store holds 4"):
        memories.put_vector(c, 1, "e", wide)
    assert memories.nearest(c, wide, 1, embedder="never seen") == []


def test_the_zero_vector_is_like_nothing(c: apsw.Connection) -> None:
    add_memories(c, np.stack([np.zeros(4), np.eye(4)[0]]).astype(np.float32))
    assert memories.nearest(c, np.eye(4, dtype=np.float32)[0], 2, embedder="e") == [
        (2, 1.0),
        (1, 0.0),
    ]


@pytest.mark.parametrize("bad", [[np.nan, 1], [np.inf, 0], [], [[1, 0]]])
def test_what_is_no_finite_vector_is_refused(c: apsw.Connection, bad: list[Any]) -> None:
    add_memories(c, np.eye(2, dtype=np.float32)[:1])
    with pytest.raises(ValueError, match="finite vector"):
        memories.nearest(c, np.array(bad, dtype=np.float32), 1, embedder="e")
    with pytest.raises(ValueError, match="finite vector"):
        memories.put_vector(c, 1, "e", np.array(bad, dtype=np.float32))


def test_tokens_are_those_of_who_said_them(c: apsw.Connection) -> None:
    session = log.start_session(c, START)
    log.append(c, session, "user", "My dog", START)
    log.append(c, session, "assistant", "Woof woof woof", START)
    [turn] = history.turns(c, session)
    words = list(re.finditer(r"\w+", turn_index.turn_text(turn)))
    spans = np.array([each.span() for each in words])
    vectors = np.random.default_rng(3).normal(size=(len(words), 20)).astype(np.float32)
    found = turn_index.turn_tokens(turn, vectors, spans)
    said = [number for number, each in enumerate(words) if each[0] in ("My", "dog")]
    reply = [number for number, each in enumerate(words) if each[0].lower() == "woof"]
    np.testing.assert_array_equal(found.said, token_bits.signs(vectors[said]))
    np.testing.assert_array_equal(found.reply, token_bits.signs(vectors[reply]))
    turn_index.put_turn_vectors(c, session, 1, "e", vectors[0], vectors[1], found)
    [kept] = token_bits.of_turns(c, [(session, 1), ("gone", 1)], "e").values()
    np.testing.assert_array_equal(kept.said, found.said)
    np.testing.assert_array_equal(kept.reply, found.reply)
    assert token_bits.of_turns(c, [(session, 1)], "another") == {}


def test_tokens_of_a_memory_go_with_it(c: apsw.Connection) -> None:
    bits = token_bits.signs(AXES[:3])
    id = memories.add(
        c, "m", kind="fact", sources=[], vector=AXES[0], embedder="e", now=START, tokens=bits
    )
    np.testing.assert_array_equal(token_bits.of_memories(c, [id, 9], "e")[id], bits)
    assert memories.unembedded_memories(c, "e", 9) == []
    memories.put_vector(c, id, "f", AXES[0])
    assert len(memories.unembedded_memories(c, "f", 9)) == 1
    memories.remove(c, id)
    assert token_bits.of_memories(c, [id], "e") == {}
    assert c.execute("SELECT count(*) FROM memory_tokens").get == 0
