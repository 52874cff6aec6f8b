"""What a person takes back: the turns go, with all that rests on them, in one transaction.

A notice stays, so that a parent can see that something was withdrawn, and when; not what.
"""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from companion import language
from companion.store import erase_rows, history, notices, pending_erase, sweep
from companion.store.connection import rows

TurnKey = tuple[str, int]
"""Session and number of a turn."""

TOPIC = "withdrawn"
"""The topic of the notice."""


def meant(c: apsw.Connection, session: str, number: int, said: str) -> tuple[TurnKey, ...]:
    """The turns that a message ("forget that") takes back: its own; the one before it, if it says
    hardly anything else; and those of the latest day on which what it names was spoken of."""
    turns = [(session, number)]
    if name := language.correction.withdrawn_name(said):
        turns += _mentioning(c, name, turns[0])
    elif language.correction.takes_back_the_turn_before(said) and number > 1:
        turns.append((session, number - 1))
    return tuple(turns)


def withdraw(c: apsw.Connection, turns: Sequence[TurnKey]) -> None:
    """Erase these turns and what was learnt from them alone, and note the time of the first; their
    bytes go with the next sweep. Turns that are gone already are left alone."""
    held = [turn for key in turns if (turn := history.turn(c, *key)) is not None]

    def drop(c: apsw.Connection) -> None:
        for turn in held:
            erase_rows.drop_turn(c, turn.session, turn.number)

    if held:
        pending_erase.amid(c, drop)
        first = held[0]
        said = first.user or first.reply
        assert said is not None, "a turn has at least one message"
        notices.add(c, TOPIC, first.session, first.number, said.time)
        sweep.note(c)


def _mentioning(c: apsw.Connection, name: str, before: TurnKey) -> list[TurnKey]:
    """The turns in which a person said a word, in the latest session before a turn in which they
    did; none when they never did."""
    found = rows(
        c,
        "SELECT m.session, m.turn FROM messages AS m JOIN sessions AS s ON s.id = m.session "
        "WHERE m.role = 'user' AND s.number <= (SELECT number FROM sessions WHERE id = ?1) "
        "AND NOT (m.session = ?1 AND m.turn >= ?2) AND instr(lower(m.text), lower(?3)) "
        "ORDER BY m.seq DESC LIMIT 20",
        *before,
        name,
    )
    return [key for key in found if key[0] == found[0][0]]
