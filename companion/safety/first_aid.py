"""What a child is told in an emergency: which kind it is, the lines for it, and what an answer of
the child's means. The lines and patterns stand in `first_aid.yaml` and `replies_after_help.yaml`;
none of the lines is generated."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from companion import language
from companion.language.tables import Table
from companion.safety.normalize import plain
from companion.safety.pattern_guard import find
from companion.safety.patterns import of_side

Answer = Literal["help_is_there", "nothing_wrong", "called", "alone"]

OTHER = "other"
"""The kind of an emergency that no pattern of a kind finds."""

_TABLE = Table.beside(__file__)
_AFTER = Table(Path(__file__).with_name("replies_after_help.yaml"))


@lru_cache(maxsize=1)
def kinds() -> tuple[str, ...]:
    """All kinds that have a pattern, in the order in which they are looked for."""
    return tuple(name for name in _TABLE.entries if f"{name}_first" in _TABLE.entries)


def kind(words: str) -> str:
    """The kind of an emergency. words: what the guard took for one; of others it says nothing."""
    heard = plain(words)
    return next((each for each in kinds() if _TABLE.pattern(each).search(heard)), OTHER)


def is_surely_one(words: str) -> bool:
    """Whether the guard's patterns find an emergency, also where another topic decides the reply:
    tablets that were taken in order to die."""
    return (
        find(plain(words), [each for each in of_side("in") if each.topic == "emergency"])
        is not None
    )


def first(kind: str, number: str) -> tuple[str, ...]:
    """What to do, a sentence each, in order. number: of `safety.emergency_number`."""
    return _with_number(_TABLE.ordered(f"{kind}_first"), number)


def following(kind: str, times: int, number: str) -> tuple[str, ...]:
    """The sentences for the next message, after so many such messages; in turn, from the start
    again after the last."""
    lines = _TABLE.ordered(f"{kind}_next")
    said = language.sentences.split(lines[times % len(lines)])
    return _with_number(said, number)


def after(answer: Answer, number: str) -> tuple[str, ...]:
    """The reply to an answer of the child's."""
    return _with_number(_AFTER.ordered(answer), number)


def asking(number: str) -> tuple[str, ...]:
    """Asks whether all is well, where it sounds so."""
    return _with_number(_AFTER.ordered("is_it_over"), number)


def answer(words: str, told: str, *, sure: bool = True) -> Answer | None:
    """What a message in an emergency says of help; None: nothing. told: the words with which the
    emergency began; whoever they name is in danger, and is not the help that has come. sure:
    whether more than the classifier took it for one; else "it's only a bit" ends it."""
    heard = plain(words)
    if _TABLE.pattern("nothing_wrong").search(heard):
        return "nothing_wrong"
    if not sure and _TABLE.pattern("small_after_all").search(heard):
        return "nothing_wrong"
    if _TABLE.pattern("alone").search(heard):
        return "alone"
    if _TABLE.pattern("no_help").search(heard):
        return None
    helps = _TABLE.pattern("help_is_there").search(heard)
    if helps and (helps["who"] or "") not in plain(told).split():
        return "help_is_there"
    return "called" if _TABLE.pattern("called").search(heard) else None


def _with_number(lines: tuple[str, ...] | list[str], number: str) -> tuple[str, ...]:
    spoken = " ".join(language.numbers.IN_WORDS[digit] for digit in number)
    return tuple(line.replace("{number}", spoken) for line in lines)
