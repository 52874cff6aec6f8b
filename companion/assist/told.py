"""What pieces of earlier talk say: a turn by the person's words, a short answer with the question
before it, a block with those beside it, a turn that has expired by the quote of its memory."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

import apsw

from companion import language
from companion.records import Memory, Turn
from companion.safety.sanitize import without_instructions
from companion.store import blocks, history, memories

REACH = 1
"""A block is where the buffer was cut: it is read with so many on either side,"""

ONE_TALK = timedelta(minutes=2)
"""as far as no more time lies between the first words of two."""

MOST_READ = 4_000
"""Characters of a piece that are looked at."""

FEW_WORDS = 8
"""A message of fewer words is shown with the question before it."""

Key = tuple[str, int]
"""A turn by session and number; a block as ("", its id)."""


def texts_of(c: apsw.Connection, keys: Iterable[Key]) -> dict[Key, tuple[str, datetime]]:
    """What each says, and when it was said."""
    wanted = set(keys)
    found: dict[Key, tuple[str, datetime]] = {}
    for id, run in runs_of(c, wanted).items():
        block = next(each for each in run if each.id == id)
        found["", id] = (_meant(" ".join(each.text for each in run)), block.time)
    said = {key for key in wanted if key[0]}
    turns = history.turns_named(c, said | {(session, number - 1) for session, number in said})
    gone = []
    for key in said:
        turn = turns.get(key)
        if turn is None:
            gone.append(key)
        elif turn.stopped is None and turn.user is not None:
            found[key] = (_told(turn, turns.get((key[0], key[1] - 1))), turn.time)
    for memory in memories.get_all(c, memories.citing(c, gone)).values() if gone else ():
        source = memory.sources[0]
        found.setdefault((source.session, source.turn), (_quoted(memory), memory.created))
    return found


def runs_of(c: apsw.Connection, keys: Iterable[Key]) -> dict[int, list[blocks.Block]]:
    """Each of the blocks with those beside it."""
    return blocks.beside(c, [id for kind, id in keys if not kind], REACH, ONE_TALK)


def _told(turn: Turn, before: Turn | None) -> str:
    assert turn.user is not None, "asked of turns in which the person spoke"
    said = _meant(turn.user.text)
    if before is None or before.reply is None or len(said.split()) >= FEW_WORDS:
        return said
    asked = language.question.asking(_meant(before.reply.text))
    return f"{asked} {said}".strip()


def _quoted(memory: Memory) -> str:
    return _meant(" ".join(dict.fromkeys(source.quote for source in memory.sources)))


def _meant(text: str) -> str:
    return without_instructions(text[:MOST_READ])
