"""Which things a message names, and what they are in.

A *thing* is a key of `names.yaml` or `conditions.yaml`: "peanuts", "cats", "running", "coeliac".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from companion.language.en.health.words import bare, stem
from companion.language.tables import Table

_HERE = Path(__file__)
_FILES = ("names", "conditions", "within", "not_it")
_MOST_WORDS = 5
_ALL_FOOD = "food and drink"


@dataclass(frozen=True)
class Found:
    """What a message names."""

    named: tuple[str, ...]
    """Things by their own names, in order."""

    held: frozenset[str]
    """Things that something named is, or often holds, or where they are met."""

    food: bool
    """Whether any food of the tables is named."""


def find(words: str) -> Found:
    """The things in `words`, which `plain` has spelled. The longest name counts: "peanut butter"
    is no butter, "milk tooth" no milk."""
    stems = [stem(word) for word in words.split()]
    named: list[str] = []
    held: set[str] = set()
    food = False
    at = 0
    while at < len(stems):
        for length in range(min(_MOST_WORDS, len(stems) - at), 0, -1):
            meanings = _meanings().get(tuple(stems[at : at + length]))
            if meanings is not None:
                named += [thing for file, thing in meanings if file in ("names", "conditions")]
                held |= {thing for file, thing in meanings if file != "not_it"}
                food = food or any(_is_food(file, thing) for file, thing in meanings)
                at += length
                break
        else:
            at += 1
    return Found(_without_meals(dict.fromkeys(named)), frozenset(held), food)


def _without_meals(named: Iterable[str]) -> tuple[str, ...]:
    """All that is named, but for food as such where some food is: who had kiwi at breakfast and
    "is not allowed" may have breakfast."""
    things = tuple(named)
    some = any(way(each) == "have" for each in things if each != _ALL_FOOD)
    return tuple(each for each in things if each != _ALL_FOOD or not some)


def covered(things: Iterable[str]) -> frozenset[str]:
    """The things, and all that stands in `covers.yaml` under any of them, and so on."""
    waiting, seen = deque(things), set[str]()
    while waiting:
        thing = waiting.popleft()
        if thing not in seen:
            seen.add(thing)
            waiting += _table("covers").ordered(thing) if thing in _table("covers").entries else ()
    return frozenset(seen)


def kinds(things: Iterable[str]) -> frozenset[str]:
    """The kinds, one step up, of which any of the things is one: shellfish of prawns. Conditions
    are none, nor is all food and drink."""
    wanted = frozenset(things)
    covers = _table("covers")
    return frozenset(
        kind
        for kind in covers.entries
        if way(kind) != "is" and kind != _ALL_FOOD and wanted.intersection(covers.ordered(kind))
    )


def way(thing: str) -> str:
    """What somebody does with a thing: `have`, `touch`, `near` or `do`; `is` for a condition."""
    if thing in _table("conditions").entries:
        return "is"
    ways = _table("ways")
    return next((name for name in ways.entries if thing in ways.words(name)), "have")


def is_food(things: Iterable[str]) -> bool:
    """Whether any of the things is eaten or drunk."""
    return any(_is_food("names", thing) for thing in covered(things))


def _is_food(file: str, thing: str) -> bool:
    if file == "not_it":
        return thing == "plain food"
    return way(thing) == "have" and not thing.endswith("signs")


@cache
def _table(file: str) -> Table:
    return Table(_HERE.with_name(f"{file}.yaml"))


@cache
def _meanings() -> dict[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """From the stems of a phrase to the files and entries in which it stands."""
    found: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for file in _FILES:
        for thing in _table(file).entries:
            for phrase in _table(file).ordered(thing):
                stems = tuple(stem(word) for word in bare(phrase).split())
                found.setdefault(stems, []).append((file, thing))
    return {stems: tuple(dict.fromkeys(each)) for stems, each in found.items()}
