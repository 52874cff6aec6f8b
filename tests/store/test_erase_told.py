"""After an erase, what parents have told is in no file either."""

from __future__ import annotations

import json

import apsw

from companion.records import Source
from companion.store import (
    access,
    audit,
    corrections,
    erase,
    memories,
    notices,
    pending_erase,
    profile,
    questions,
)
from companion.store.database import Store
from companion.store.export import export

from .canaries import bits_of, canary, remember, say, traces, vector_of
from .conftest import START


def told_by_a_parent(c: apsw.Connection) -> tuple[int, int]:
    """A memory of turn 1 that a parent has put right, and a question of turn 2 about it."""
    say(c, "s", "wrong", "newer", "other")
    wrong = remember(c, "wrong", ("s", 1))
    right = corrections.correct(c, wrong, f"No, {canary('right')}", START, event_time=None)
    memories.put_vector(c, right, "e", vector_of("memoryright"), bits_of("textright"))
    source = Source("s", 2, canary("newer"))
    questions.ask(c, f"But {canary('asked')}", source, START, memory=right)
    profile.note(c, "name", canary("name"), None, START)
    questions.ask(c, canary("child"), Source("s", 3, canary("other")), START, item="name")
    audit.add(c, "correct", 1, START)
    notices.add_apart(c, access.TOPIC, START)
    return wrong, right


async def test_erasing_everything_leaves_no_byte_of_what_a_parent_told(plain: Store) -> None:
    await plain.write(told_by_a_parent)
    await plain.write(access.put, *access.salted("493817"))
    await plain.backup()
    names = ("wrong", "right", "newer", "other", "asked", "name", "child")
    assert set(traces(plain.directory, "right", "asked", "name")) >= {"store.db-wal"}
    await erase.erase_all(plain)
    assert traces(plain.directory, *names) == []
    left = await plain.read(export)
    for name in ("corrections", "questions", "notices", "audit", "memories"):
        assert left[name] == []
    assert (await plain.read(access.state)).set, "the PIN stays"


async def test_erasing_the_turn_takes_its_correction_along(plain: Store) -> None:
    await plain.write(told_by_a_parent)
    await plain.backup()
    await erase.erase_turn(plain, "s", 1)
    assert traces(plain.directory, "wrong", "right", "asked") == []
    assert [each.item for each in await plain.read(questions.all_questions)] == ["name"]


async def test_erasing_a_turn_takes_its_question_along(plain: Store) -> None:
    _, right = await plain.write(told_by_a_parent)
    await erase.erase_turn(plain, "s", 2)
    await erase.erase_turn(plain, "s", 3)
    assert traces(plain.directory, "newer", "asked", "child", "other") == []
    assert await plain.read(questions.all_questions) == []
    assert await plain.read(memories.get, right) is not None


async def test_erasing_a_correction_takes_what_it_put_right_along(plain: Store) -> None:
    wrong, right = await plain.write(told_by_a_parent)
    await erase.erase_memory(plain, right)
    assert await plain.read(corrections.all_corrections) == []
    assert await plain.read(memories.get_all, [wrong, right]) == {}
    assert traces(plain.directory, "right", "asked") == []


async def test_erasing_what_was_put_right_leaves_the_correction(plain: Store) -> None:
    wrong, right = await plain.write(told_by_a_parent)
    await erase.erase_memory(plain, wrong)
    [kept] = await plain.read(corrections.all_corrections)
    assert (kept.memory, kept.before, kept.before_text) == (right, None, None)


async def test_an_export_holds_what_a_parent_told(plain: Store) -> None:
    wrong, right = await plain.write(told_by_a_parent)
    await plain.write(access.put, *access.salted("493817"))
    document = await plain.read(export)
    json.dumps(document)
    [correction] = document["corrections"]
    assert (correction["memory"], correction["before"]) == (right, wrong)
    assert len(document["questions"]) == 2
    assert [each["what"] for each in document["audit"]] == ["correct"]
    assert [each["topic"] for each in document["notices"]] == ["wrong-pin"]
    assert "hash" not in json.dumps(document)


async def test_a_correction_that_was_hidden_comes_back_whole(plain: Store) -> None:
    _, right = await plain.write(told_by_a_parent)
    before = await plain.read(export)
    for what in ({"memory": right}, {"turn": ["s", 1]}, {"session": "s"}):
        id = await plain.write(pending_erase.hide, what, 600.0, START)
        assert canary("right") not in json.dumps(await plain.read(export))
        await plain.write(pending_erase.undo, id)
        after = await plain.read(export)
        for name in ("corrections", "questions", "memories"):
            assert after[name] == before[name]
