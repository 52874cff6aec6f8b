"""Questions for a parent: the child has said otherwise than a parent has told.

The parent's word stands until the parent answers. What was asked once is not asked again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import apsw

from companion.errors import InputError
from companion.records import CoreItem, Source
from companion.store.connection import rows

SCHEMA = """
CREATE TABLE questions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  memory INTEGER REFERENCES memories (id) ON DELETE CASCADE,  -- what a parent told; or an item
  item TEXT CHECK (item IN ('name', 'age', 'gender')),
  text TEXT NOT NULL,               -- what would be known by the child's words
  session TEXT NOT NULL,            -- where they were said
  turn INTEGER NOT NULL,
  quote TEXT NOT NULL,
  time TEXT NOT NULL,
  answered TEXT,                    -- when the parent answered
  CHECK ((memory IS NULL) <> (item IS NULL))
) STRICT;
CREATE INDEX questions_by_turn ON questions (session, turn);
CREATE INDEX questions_by_memory ON questions (memory);
"""


@dataclass(frozen=True)
class Question:
    """One thing that a parent is asked."""

    id: int
    memory: int | None
    """The memory that a parent has told, and of which the child says otherwise."""

    item: CoreItem | None
    """Or what of the profile."""

    text: str
    """What would be known by the child's words."""

    source: Source
    time: datetime


def ask(
    c: apsw.Connection,
    text: str,
    source: Source,
    time: datetime,
    *,
    memory: int | None = None,
    item: CoreItem | None = None,
) -> bool:
    """Ask about a memory or an item of the profile, unless the same was asked before, answered or
    not. Returns whether it is a new question."""
    asked = c.execute(
        "SELECT EXISTS (SELECT 1 FROM questions WHERE memory IS ?1 AND item IS ?2 "
        "AND (lower(text) = lower(?3) OR (session = ?4 AND turn = ?5 AND quote = ?6)))",
        (memory, item, text, source.session, source.turn, source.quote),
    ).get
    if asked:
        return False
    c.execute(
        "INSERT INTO questions (memory, item, text, session, turn, quote, time) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (memory, item, text, source.session, source.turn, source.quote, time.isoformat()),
    )
    return True


def open_questions(c: apsw.Connection) -> list[Question]:
    """Those that no parent has answered, oldest first."""
    return [_question(row) for row in rows(c, _QUESTION + "WHERE answered IS NULL ORDER BY id")]


def all_questions(c: apsw.Connection) -> list[Question]:
    """Answered ones, too, oldest first."""
    return [_question(row) for row in rows(c, _QUESTION + "ORDER BY id")]


def get(c: apsw.Connection, id: int) -> Question:
    """One that is open. Raises InputError when there is none."""
    found = rows(c, _QUESTION + "WHERE id = ? AND answered IS NULL", id)
    if not found:
        raise InputError(f"there is no question {id} that waits for an answer")
    return _question(found[0])


def answered(c: apsw.Connection, id: int, now: datetime) -> None:
    """Note that a parent has answered it."""
    c.execute("UPDATE questions SET answered = ? WHERE id = ?", (now.isoformat(), id))


def move(c: apsw.Connection, old: int, new: int, now: datetime) -> None:
    """A parent has put a parent's own memory right: what was asked of it is answered."""
    c.execute(
        "UPDATE questions SET memory = ?, answered = coalesce(answered, ?) WHERE memory = ?",
        (new, now.isoformat(), old),
    )


def settle_item(c: apsw.Connection, item: CoreItem, now: datetime) -> None:
    """A parent has told an item of the profile: what was asked of it is answered."""
    c.execute(
        "UPDATE questions SET answered = ? WHERE item = ? AND answered IS NULL",
        (now.isoformat(), item),
    )


_QUESTION = "SELECT id, memory, item, text, session, turn, quote, time FROM questions "


def _question(row: tuple[object, ...]) -> Question:
    id, memory, item, text, session, turn, quote, time = row
    source = Source(str(session), int(str(turn)), str(quote))
    return Question(
        int(str(id)),
        None if memory is None else int(str(memory)),
        item,  # type: ignore[arg-type]
        str(text),
        source,
        datetime.fromisoformat(str(time)),
    )
