"""A second name, or another age, than somebody has told before.

A child is Little Bear in one game and an ice-cream man in the next, and says so like a name. So
what was told once stands until it is put right, or until a birthday.
"""

from __future__ import annotations

from itertools import pairwise

from companion.language.en.words import words
from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()
_DAYS_IN_YEAR = 365


def name_stands(known: str, quote: str, name: str, said: str) -> bool:
    """Whether the name that is known stays, whatever a message says its speaker is called.

    quote: the words that told it; "" where they are not known, or a parent's. said: the message.
    """
    mine, theirs = (each.casefold().split() for each in (known, name))
    if mine == theirs[: len(mine)]:
        return len(mine) == len(theirs)  # "Enno" and "Enno Berg" are one
    if theirs == mine[: len(theirs)]:
        return True
    if _RE.puts_right.search(said) is not None or _denies(known, said):
        return False
    was_unsure = _RE.unsure.search(quote) is not None
    return not (was_unsure and _RE.plain.search(said) is not None)


def age_stands(known: int, age: int, days: float, said: str, *, asked: bool) -> bool:
    """Whether the age that is known stays. days: since it was told. asked: whether the companion
    had just asked for it."""
    if asked or _RE.puts_right.search(said) is not None or _denies(str(known), said):
        return False
    return not 0 < age - known <= days // _DAYS_IN_YEAR + 1


def _denies(known: str, said: str) -> bool:
    spoken = [each.casefold() for each in words(said)]
    denied = {after for no, after in pairwise(spoken) if no == "not"}
    return known.casefold().split()[0] in denied
