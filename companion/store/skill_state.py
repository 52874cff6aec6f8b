"""What a skill keeps between two messages: one small JSON object for each.

The turn in which it was written stands beside it: erasing that turn, or one before it in the same
session, takes the object along, since it may hold words of it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from companion.store.connection import rows

SCHEMA = """
CREATE TABLE skill_state (
  skill TEXT PRIMARY KEY,
  state TEXT NOT NULL,              -- a JSON object
  time TEXT NOT NULL,
  session TEXT NOT NULL,            -- the turn that wrote it
  turn INTEGER NOT NULL
) STRICT;
"""

MOST_CHARACTERS = 16_384
"""A state that is longer is not kept."""


@dataclass(frozen=True)
class SkillState:
    """The state of one skill, as it is kept."""

    skill: str
    state: dict[str, Any]
    time: str
    """ISO 8601 with an offset."""

    session: str
    turn: int


def all_states(c: apsw.Connection) -> list[SkillState]:
    """Of every skill that keeps something, by name."""
    found = rows(c, "SELECT skill, state, time, session, turn FROM skill_state ORDER BY skill")
    return [SkillState(skill, json.loads(state), *rest) for skill, state, *rest in found]


def change(c: apsw.Connection, kept: Sequence[SkillState], gone: Sequence[str] = ()) -> None:
    """Keep these in place of what was there, and drop those of the skills named in `gone`.

    Raises ValueError for a state of more than MOST_CHARACTERS."""
    for skill in gone:
        c.execute("DELETE FROM skill_state WHERE skill = ?", (skill,))
    for each in kept:
        text = json.dumps(each.state, ensure_ascii=False)
        if len(text) > MOST_CHARACTERS:
            raise ValueError(f"the state of skill {each.skill!r} is too long")
        c.execute(
            "INSERT OR REPLACE INTO skill_state (skill, state, time, session, turn) "
            "VALUES (?, ?, ?, ?, ?)",
            (each.skill, text, each.time, each.session, each.turn),
        )


def drop_turns(c: apsw.Connection, session: str, first: int, last: int) -> None:
    """Drop what may hold words of these turns of a session: what was written in them or later in
    the session, and the timers that were asked for in them."""
    c.execute("DELETE FROM skill_state WHERE session = ? AND turn >= ?", (session, first))
    c.execute(
        "DELETE FROM timers WHERE session = ? AND turn BETWEEN ? AND ?", (session, first, last)
    )
