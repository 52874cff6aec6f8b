"""Messages as they were meant: with what the person put right of them in the next message.

The log keeps both as they were said. Whoever reads a message to recall it reads it through here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion import language
from companion.recall.notes import READ
from companion.recall.protocol import TurnKey
from companion.records import Turn


def meant(turn: Turn, after: Turn | None) -> str | None:
    """What a turn's message means, where the message of the turn after it only puts a word of it
    right; None where it does not."""
    if turn.user is None or turn.stopped is not None:
        return None
    if after is None or after.user is None or after.stopped is not None:
        return None
    line = turn.reply.text if turn.reply is not None else ""
    said, later = turn.user.text[:READ], after.user.text[:READ]
    return language.third_turn_repair.repaired(said, line, later)


def as_meant(turns: Mapping[TurnKey, Turn]) -> tuple[dict[TurnKey, Turn], dict[TurnKey, TurnKey]]:
    """The turns, those that were put right with the words that were meant; and of each turn that
    only puts one right, which. Of turns that are not among them nothing is known."""
    read, puts_right = dict(turns), {}
    for (session, number), turn in turns.items():
        after = (session, number + 1)
        text = meant(turn, turns.get(after))
        if text is not None and turn.user is not None:
            read[session, number] = replace(turn, user=replace(turn.user, text=text))
            puts_right[after] = session, number
    return read, puts_right
