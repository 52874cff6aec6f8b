"""Which things a message names, and what they are in.

A *thing* is a key of `names.yaml` or `conditions.yaml`, or a `thing` of `contents.jsonl` that is
`called` something: "peanuts", "cats", "running", "coeliac", "jellyfish". What each is in, or where
it is met, people of many countries wrote into `contents.jsonl`: a dish counts when it often holds
the thing, for whoever must not have it is sent to a grown-up, who knows.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from companion.language.en.health.words import bare, stem
from companion.language.tables import Table

_HERE = Path(__file__)
_FILES = ("names", "conditions", "not_it")
_NAMES = ("names", "conditions")
_CONTENTS = "contents"
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
                named += [thing for file, thing in meanings if file in _NAMES]
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
    if found := _contents().get(thing, {}).get("way"):
        return str(found)
    ways = _table("ways")
    return next((name for name in ways.entries if thing in ways.words(name)), "have")


def days(things: Iterable[str]) -> int | None:
    """For how many days what forbids the things is usually so: a broken arm, and no climbing for
    it, is not for good. None: for good, or nobody knows."""
    found = {thing: _contents().get(thing, {}).get("days") for thing in things}
    known = [int(each or 0) for thing, each in found.items() if each or way(thing) != "do"]
    return max(known) if known and all(known) else None


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
def _contents() -> Mapping[str, Mapping[str, Any]]:
    """What `contents.jsonl` says of each thing, but for its words."""
    return {row["thing"]: {key: row.get(key) for key in ("way", "days")} for row in _rows()}


def _rows() -> Iterator[dict[str, Any]]:
    lines = _HERE.with_name(f"{_CONTENTS}.jsonl").read_text(encoding="utf-8").splitlines()
    return map(json.loads, lines)


@cache
def _meanings() -> dict[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """From the stems of a phrase to the files and entries in which it stands."""
    found: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for phrase, file, thing in _phrases():
        stems = tuple(stem(word) for word in bare(phrase).split())
        found.setdefault(stems, []).append((file, thing))
    return {stems: tuple(dict.fromkeys(each)) for stems, each in found.items()}


def _phrases() -> Iterator[tuple[str, str, str]]:
    """Each phrase, its file and its thing."""
    for file in _FILES:
        for thing in _table(file).entries:
            yield from ((phrase, file, thing) for phrase in _table(file).ordered(thing))
    for row in _rows():
        thing = row["thing"]
        of = _NAMES[row.get("way") == "is"]
        yield from ((phrase, of, thing) for phrase in row.get("called", ()))
        yield from ((phrase, _CONTENTS, thing) for phrase in row["in"])
