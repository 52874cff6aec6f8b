from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import apsw
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.records import Role
from companion.store import history, log, memories, turn_index
from companion.store.connection import transaction

from .changes import CHANGES, change
from .conftest import START
from .hostile import strings


def say(c: apsw.Connection, session: str, *texts: str) -> None:
    """Turns of a session: user and companion in alternation."""
    roles: tuple[Role, Role] = ("user", "assistant")
    rows = [(roles[n % 2], text, START) for n, text in enumerate(texts)]
    log.import_messages(c, session, rows)


def remember(c: apsw.Connection, text: str) -> int:
    return memories.add(c, text, kind="fact", sources=[], vector=None, embedder="e", now=START)


def found(c: apsw.Connection, words: str) -> list[tuple[str, int]]:
    return [(s, n) for s, n, _ in turn_index.search_turns(c, words, 10)]


def test_both_sides_of_a_turn_are_found_and_the_best_comes_first(c: apsw.Connection) -> None:
    say(c, "s", "I saw a fox", "Was the fox red?", "Yes", "Owls are quiet", "Why?", "Soft wings")
    assert found(c, "fox") == [("s", 1)]
    assert found(c, "quiet owl or fox")[0] == ("s", 2)
    scores = [score for _, _, score in turn_index.search_turns(c, "fox owls quiet", 10)]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)


def test_a_reply_that_comes_later_is_found_too(c: apsw.Connection) -> None:
    session = log.start_session(c, START)
    log.append(c, session, "user", "I saw a fox", START)
    assert found(c, "hedgehog") == []
    log.append(c, session, "assistant", "Not a hedgehog?", START)
    assert found(c, "hedgehog") == found(c, "fox") == [(session, 1)]


@pytest.mark.parametrize(
    "question", ["What did I say on Friday?", "28 April", "in 2023", "CAFE", "dog", "swims"]
)
def test_days_accents_and_inflections_match(c: apsw.Connection, question: str) -> None:
    say(c, "s", "My dogs went swimming by the café", "Lovely")
    log.import_messages(c, "other", [("user", "Hi", START + timedelta(days=400))])
    assert found(c, question) == [("s", 1)]


def test_a_turn_that_a_guard_stopped_takes_no_place_among_the_found(c: apsw.Connection) -> None:
    for session in ("a", "b", "c"):
        say(c, session, "fox")
    log.mark_stopped(c, "a", 1, "a topic")
    assert [name for name, *_ in turn_index.search_turns(c, "fox", 2)] == ["b", "c"]
    assert [name for name, *_ in turn_index.search_turns(c, "fox", 9)] == ["b", "c"]


def test_turns_are_found_by_the_days_on_which_they_were_said(c: apsw.Connection) -> None:
    for day in range(3):
        log.import_messages(c, f"day {day}", [("user", "Hi", START + timedelta(days=day))])
    second = START.date() + timedelta(days=1)
    assert turn_index.turns_on(c, second, second) == [("day 1", 1)]
    assert len(turn_index.turns_on(c, START.date(), second)) == 2
    assert turn_index.turns_on(c, date.min, date.max) == [(f"day {n}", 1) for n in range(3)]


@pytest.mark.parametrize("hours", [-12, -5, 1, 14])
def test_what_is_said_late_in_the_evening_belongs_to_that_day_wherever_it_was_said(
    c: apsw.Connection, hours: int
) -> None:
    there = timezone(timedelta(hours=hours))
    for hour in (0, 23):
        time = datetime(2023, 3, 28, hour, 30, tzinfo=there)
        log.import_messages(c, f"at {hour}", [("user", "Hi", time)])
    day = date(2023, 3, 28)
    assert turn_index.turns_on(c, day, day) == [("at 0", 1), ("at 23", 1)]
    for other in (day - timedelta(days=1), day + timedelta(days=1)):
        assert turn_index.turns_on(c, other, other) == []


def test_any_text_can_be_searched_for_and_finds_itself(c: apsw.Connection) -> None:
    texts = strings()
    with transaction(c):
        ids = [remember(c, text) for text in texts]
    for id, text in zip(ids, texts, strict=True):
        for query in (text[:500], f'{text[:200]}" OR text:*'):
            memories.search(c, query, 5)
        held = memories.search(c, text[:500], len(texts))
        assert not has_words(text) or id in {found for found, _ in held}


def has_words(text: str) -> bool:
    return any(char.isascii() and char.isalnum() for char in text[:400])


def test_nothing_to_look_for_finds_nothing(c: apsw.Connection) -> None:
    remember(c, "fox")
    for words in ("", "   ", '"', "?!", "\x00"):
        assert memories.search(c, words, 5) == []


def test_the_indexed_text_is_the_embedded_text(c: apsw.Connection) -> None:
    say(c, "s", "I saw a fox", "Was it red?", "Yes")
    for turn in history.turns(c, "s"):
        id = history.turn_id(c, "s", turn.number)
        assert c.execute("SELECT text FROM turn_texts WHERE id = ?", (id,)).get == (
            turn_index.turn_text(turn)
        )
    assert turn_index.turn_text(history.turns(c, "s")[0]) == (
        "Friday 28 April 2023 you: I saw a fox companion: Was it red?"
    )


OPERATIONS = ("add", *CHANGES, "say", "answer", "expire")


@given(steps=st.lists(st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 7)), max_size=30))
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_text_indexes_stay_in_step_with_the_tables(
    c: apsw.Connection, steps: list[tuple[str, int]]
) -> None:
    c.execute("BEGIN")
    try:
        log.start_session(c, START, "s")
        for operation, n in steps:
            apply(c, operation, n)
        for index, view in (("memory_index", "active_memories"), ("turn_index", "turn_texts")):
            c.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('integrity-check', 1)")
            indexed = c.execute(f"SELECT id FROM {index}_docsize ORDER BY id").fetchall()
            assert indexed == c.execute(f"SELECT id FROM {view} ORDER BY id").fetchall()
        active = [m.id for m in memories.list_memories(c)]
        near = memories.nearest(c, np.ones(8, np.float32), 99, embedder="e")
        assert sorted(id for id, _ in near) == active
    finally:
        c.execute("ROLLBACK")


def apply(c: apsw.Connection, operation: str, n: int) -> None:
    """One operation, on the nth row where it needs one."""
    if operation == "add":
        id = remember(c, f"memory {n}")
        memories.put_vector(c, id, "e", np.eye(8, dtype=np.float32)[n])
    elif operation == "say":
        log.append(c, "s", "user", f"word {n}", START)
    elif operation == "answer":
        log.append(c, "s", "assistant", f"answer {n}", START)
    elif operation == "expire":
        log.remove_turn(c, "s", n)
    else:
        change(c, operation, n)
