"""The rest of a list of which parts were told on two days: no model, some milliseconds.

What was just said of it stands in one list or in several of one matter; what else stands there is
the rest. Where nothing is left there, one other piece of the same matter may go on with it. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion import language
from companion.assist.finding import Found
from companion.language.types import Gap

SURE = 2
"""Things that have to have been said, of a list that is told in several pieces."""

SAME_MATTER = 0.4
"""Of the rarity of the words that say what a list is of, so much is in the piece that goes on."""

LINKS = 3
"""A word that says what a list is of links pieces of one matter if no more of them hold it."""


@dataclass(frozen=True)
class Listed:
    """One list that was told."""

    about: frozenset[str]
    """Stems of the words before it, which say what it is a list of."""

    items: tuple[str, ...]
    source: Found


@dataclass(frozen=True)
class Rest:
    """What is left of a list, and where it stands."""

    items: tuple[str, ...]
    sources: tuple[Found, ...]


def told_of(gap: Gap, found: Sequence[Found]) -> list[Listed]:
    """The lists that hold something of what was just said, in the order of time, where they hold
    all of it between them; else []."""
    if len(gap.told) < SURE:
        return []
    having = [each for each in _all(found) if any(_held(gap, each.items))]
    if not all(any(column) for column in zip(*(_held(gap, e.items) for e in having), strict=True)):
        return []
    best = max(having, key=lambda each: sum(_held(gap, each.items)), default=None)
    if best is None:
        return []
    if all(_held(gap, best.items)):
        return [best]
    one = [each for each in having if each is best or each.about & best.about]
    whole = all(any(column) for column in zip(*(_held(gap, e.items) for e in one), strict=True))
    return sorted(one, key=lambda each: each.source.time) if whole else []


def rest(gap: Gap, told: Sequence[Listed]) -> Rest | None:
    """What of these lists was not said; None where it cannot be told for sure."""
    left: list[str] = []
    for each in told:
        for item in each.items:
            if not any(_is(item, gap, at) for at in range(len(gap.told))):
                left.append(item)
    said = _as_said(left, gap)
    return Rest(said, tuple(each.source for each in told)) if said else None


def going_on(gap: Gap, told: Sequence[Listed], found: Sequence[Found]) -> Rest | None:
    """What one other piece of the same matter adds to them. found: by the words that say what they
    are lists of."""
    here = {each.source.key for each in told}
    about = frozenset().union(*(each.about for each in told))
    most = max((each.fit for each in found), default=0.0)
    stems = {each.key: language.words.stems(each.text) for each in found}
    links = {w for w in about if sum(language.words.occurs(w, e) for e in stems.values()) <= LINKS}
    adding = []
    for each in found:
        if each.key in here or each.fit < SAME_MATTER * most:
            continue
        if not any(language.words.occurs(w, stems[each.key]) for w in links):
            continue
        for listed in _all([each]):
            own = [item for item in listed.items if set(language.words.content(item)) - about]
            if len(own) > 1 and not any(_held(gap, own)) and (said := _as_said(own, gap)):
                adding.append(Rest(said, (each,)))
    return adding[0] if len(adding) == 1 else None


def _all(found: Sequence[Found]) -> list[Listed]:
    return [
        Listed(frozenset(language.words.content(about)), tuple(items), each)
        for each in found
        for about, items in language.lists.in_text(each.text)
    ]


def _held(gap: Gap, items: Sequence[str]) -> list[bool]:
    """Of each thing that was said, whether it is among these."""
    return [any(_is(item, gap, at) for item in items) for at in range(len(gap.told))]


def _is(item: str, gap: Gap, at: int) -> bool:
    return language.lists.covers(item, gap.told[at], last=at == len(gap.told) - 1)


def _as_said(left: Sequence[str], gap: Gap) -> tuple[str, ...]:
    """Things in the form of those that were said: names where those are names. () where one of them
    is no such thing."""
    if any(map(language.lists.is_clause, left)):
        return ()
    if all(language.lists.name_in(each) == each for each in gap.told):
        found = [language.lists.name_in(each) for each in left]
    else:
        found = [language.sought.thing(each) for each in left]
    return tuple(dict.fromkeys(found)) if all(found) else ()
