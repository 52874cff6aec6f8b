"""What a person takes back: the turns go, with all that rests on them, in one transaction.

A notice stays, so that a parent can see that something was withdrawn, and when; not what.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from companion import language
from companion.store import erase_rows, history, memories, notices, pending_erase, sweep
from companion.store.connection import rows

TurnKey = tuple[str, int]
"""Session and number of a turn."""

TOPIC = "withdrawn"
"""The topic of the notice."""


@dataclass(frozen=True)
class Meant:
    """What a message takes back."""

    turns: tuple[TurnKey, ...]
    """Its own first."""

    keeps_health: bool
    """Whether it meant something that stays, since a memory of health rests on it."""


def meant(
    c: apsw.Connection, session: str, number: int, said: str, near: Sequence[int] | None
) -> Meant:
    """The turns that a message ("forget that") takes back: its own; those in which what it says was
    told; those of its session that are likely meant; those of the latest day on which what it names
    was spoken of; and questions to which the toy has since answered with it. What a memory of
    health rests on is not taken back: only a parent does that.

    near: numbers of the turns that are likely meant; None where that cannot be told: the one before
    it, if it says hardly anything.
    """
    own, turns = (session, number), list[TurnKey]()
    if clause := language.correction.withdrawn_clause(said):
        turns = _telling(c, clause, own)
    elif name := language.correction.withdrawn_name(said):
        turns = [(session, each) for each in near or ()]
        named = _mentioning(c, name, own)
        if named and language.correction.withdraws_all_about(said):
            turns = named
        elif near is None or not {*named} & {*turns}:
            turns += named
    elif near:
        turns = [(session, each) for each in near]
    elif near is None and language.correction.takes_back_the_turn_before(said) and number > 1:
        turns = [(session, number - 1)]
    left = tuple(each for each in turns if not _concerns_health(c, each))
    answers = _answered_from(c, left, own)
    return Meant((own, *left, *answers), keeps_health=len(left) < len(turns))


def _concerns_health(c: apsw.Connection, turn: TurnKey) -> bool:
    """Whether a memory of health rests on a turn."""
    resting = memories.get_all(c, memories.citing(c, [turn])).values()
    return any(each.kind == "health" for each in resting)


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


def _telling(c: apsw.Connection, clause: frozenset[str], before: TurnKey) -> list[TurnKey]:
    """The latest turn of the same session, before a turn, in which a person said all these words;
    none when they never did."""
    session, number = before
    for turn in reversed(history.turns(c, session)):
        told = turn.user.text if turn.user is not None else ""
        if turn.number < number and clause <= language.words.stems(told):
            return [(session, turn.number)]
    return []


def _answered_from(c: apsw.Connection, turns: Sequence[TurnKey], before: TurnKey) -> list[TurnKey]:
    """The turns of their sessions and of this one, after the first of them and before a turn, in
    which the toy answered a question with what these turns tell."""
    said = [t.user.text for key in turns if (t := history.turn(c, *key)) is not None and t.user]
    found = []
    for session in dict.fromkeys([*(session for session, _ in turns), before[0]]) if said else ():
        for turn in history.turns(c, session):
            key = (session, turn.number)
            first = min((number for of, number in turns if of == session), default=0)
            since = turn.number > first and (session != before[0] or turn.number < before[1])
            if key in turns or not since or turn.user is None or turn.reply is None:
                continue
            asked, answer = turn.user.text, turn.reply.text
            if language.question.asking(asked) and any(
                language.recollection.holds(answer, asked, told) for told in said
            ):
                found.append(key)
    return found


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
