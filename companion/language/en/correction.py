"""What takes back or changes something said before: "it's Sunday now", "forget that"."""

from __future__ import annotations

from companion.language.en import sentences
from companion.language.en.calendar_names import MONTHS, WEEKDAYS
from companion.language.en.kinship import RELATION
from companion.language.en.words import content, names, stem
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_DAYS = frozenset(map(stem, WEEKDAYS + MONTHS + ("today", "tomorrow", "yesterday", "tonight")))
_EVERYDAY = frozenset(map(stem, _TABLE.ordered("everyday")))
_ENOUGH = 3
"""A message with so many content words before it asks to forget takes back itself alone."""

_SHARED = 2
"""Words for things that two texts must share to speak of the same."""

_FEW = 2
"""Of a text with no more such words, one is enough."""


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


def same_thing(old: str, new: str, *, other_day: bool) -> bool:
    """Whether a new text that corrects something may correct this old one: they share words for
    things, not only for people, days, or what is in every other sentence.

    other_day: each names a day, and not the same: then one such word is enough.
    """
    theirs = _topic(old)
    shared = theirs & _topic(new)
    return len(shared) >= (1 if other_day or len(theirs) <= _FEW else _SHARED)


def _topic(text: str) -> frozenset[str]:
    found = frozenset(each for each in content(text) if len(each) > 2 and "'" not in each)
    people = names(f"x {text}") | {each for each in found if RELATION.fullmatch(each)}
    return found - people - _DAYS - _EVERYDAY
