"""Pretend play and jokes: what is said in them is not true of the child.

A game goes on for some turns after it was opened, until something ends it. Missing a true
sentence said within a game is the smaller harm, and health is never a game (`dietary.HEALTH`).
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.language.en import correction, sentences
from companion.language.en.dietary import HEALTH
from companion.language.tables import Table
from companion.records import Turn

_RE = Table.beside(__file__).patterns()
_TURNS_OF_A_GAME = 3
"""How long a game is taken to last when nothing ends it."""


def goes_on(lines: Sequence[str]) -> bool:
    """Whether any of the lines, by whichever side, opens a game or story or belongs to one. Looser
    than `is_play`: for what is only said in another tone."""
    return any(_RE.opens.search(line) or _RE.scene.search(line) for line in lines)


def is_left(words: str) -> bool:
    """Whether words within a game speak of what is real: they say so, or tell of the speaker's own
    body, or of people at home."""
    return _RE.leaves.search(words) is not None


def is_play(turns: Sequence[Turn], number: int) -> bool:
    """Whether turn `number`, among its neighbours, is part of a game or taken back as a joke.

    turns: some before it and the one after it, in order.
    """
    since_opened: int | None = None
    reply = ""
    for turn in turns:
        if turn.user is None:
            continue
        text = turn.user.text
        addressed, reply = _RE.addressed.search(reply) is not None, ""
        if turn.reply is not None:
            reply = turn.reply.text
        if turn.number > number:
            return _RE.joke.search(text) is not None
        if _RE.opens.search(text) or _RE.takes_a_part.search(text):
            since_opened = 0
        elif since_opened is not None:
            since_opened += 1
            if _RE.closes.search(text) or since_opened > _TURNS_OF_A_GAME:
                since_opened = None
        if turn.number == number:
            if _RE.joke.search(text):
                return True
            real = _RE.closes.search(text) or correction.corrects(text)
            if since_opened is not None or (addressed and not real):
                return HEALTH.search(text) is None
    return False


def is_taken_back(turns: Sequence[Turn], number: int) -> bool:
    """Whether turn `number`, or the one after it, says that it was a joke."""
    near = [each for each in turns if each.number in (number, number + 1)]
    return any(each.user is not None and _RE.joke.search(each.user.text) for each in near)


def before_it_opens(words: str) -> str:
    """What a message that begins a game says before it does; "" when it begins none."""
    parts = sentences.split(words)
    for number, part in enumerate(parts):
        if _RE.opens.search(part) or _RE.takes_a_part.search(part):
            return " ".join(parts[:number])
    return ""


def after_it_closes(turns: Sequence[Turn], number: int) -> str:
    """What turn `number` says from where it ends a game on; all of it where it ends none."""
    words = next((each.user.text for each in turns if each.number == number and each.user), "")
    before = [each.user.text for each in turns if each.number < number and each.user]
    if not any(_RE.opens.search(each) or _RE.takes_a_part.search(each) for each in before):
        return words
    parts = sentences.split(words)
    ends = next((n for n, part in enumerate(parts) if _RE.ends_here.search(part)), None)
    return words if not ends else " ".join(parts[ends:])


def opens(words: str) -> bool:
    """Whether a message begins a game of pretending, or names the part that one plays."""
    return _RE.opens.search(words) is not None
