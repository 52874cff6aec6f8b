"""What takes back or changes something said before: "it's Sunday now", "forget that"."""

from __future__ import annotations

from companion.language.en import sentences
from companion.language.en.calendar_names import MONTHS, WEEKDAYS
from companion.language.en.kinship import RELATION
from companion.language.en.words import content, names, stem
from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()
_DAYS = frozenset(map(stem, WEEKDAYS + MONTHS + ("today", "tomorrow", "yesterday", "tonight")))
_FRAME = frozenset(map(stem, ("asked", "said", "user")))
_ENOUGH = 3
"""A message with so many content words before it asks to forget takes back itself alone."""

_SHARED = 2
"""Content words that two texts must share to speak of the same thing."""


def withdraws(said: str) -> bool:
    """Whether a message asks that something said be forgotten."""
    return _RE.withdraws.search(said) is not None


def takes_back_the_turn_before(said: str) -> bool:
    """Whether a message that withdraws something means what was said before it, too: it holds
    hardly anything itself."""
    held = [each for each in sentences.split(said) if not _RE.withdraws.search(each)]
    return len(content(" ".join(held))) < _ENOUGH


def withdrawn_name(said: str) -> str:
    """The word that names what is to be forgotten; "" when none does."""
    found = _RE.named_thing.search(said)
    return "" if found is None else next(filter(None, found.groups()), "")


def corrects(said: str) -> bool:
    """Whether somebody puts right or changes what was said before."""
    return _RE.corrects.search(said) is not None


def same_thing(old: str, new: str) -> bool:
    """Whether a new text that corrects something may correct this old one: apart from days, they
    share words, and not only those for people."""
    mine, theirs = _topic(new), _topic(old)
    shared = mine & theirs
    people = names(f"x {old}") | names(f"x {new}")
    things = {each for each in shared - people if not RELATION.fullmatch(each)}
    return bool(things) and len(shared) >= min(_SHARED, len(theirs))


def _topic(text: str) -> frozenset[str]:
    return frozenset(each for each in content(text) if len(each) > 2 and "'" not in each) - (
        _DAYS | _FRAME
    )
