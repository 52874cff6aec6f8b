"""Jokes, riddles, rhymes and the like, as people wrote them: YAML files in `packs/`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import yaml

from companion import language
from companion.records import Profile
from companion.skills.protocol import State

FOLDER = Path(__file__).parent / "packs"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LEAST_WAIT = 2 / 3
"""So much of a pack is told before anything of it comes again."""

DEFAULT_AGE = 7


@dataclass(frozen=True)
class Joke:
    q: str
    a: str
    explain: str
    who: str = ""
    """Of a knock-knock joke: what is said after "who's there"."""

    about: tuple[str, ...] = ()
    ages: tuple[int, int] = (4, 99)

    @property
    def key(self) -> str:
        """What tells it from all others: many a joke begins with "Knock knock"."""
        return f"{self.q} {self.who}".strip()


@dataclass(frozen=True)
class Riddle:
    q: str
    answers: tuple[str, ...]
    hint: str
    explain: str
    near: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    ages: tuple[int, int] = (4, 99)

    @property
    def key(self) -> str:
        return self.q


@dataclass(frozen=True)
class Rhyme:
    title: str
    lines: tuple[tuple[str, str], ...]
    """Each with the word with which the child may end it, or ""."""

    says: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    bedtime: bool = False
    ages: tuple[int, int] = (0, 99)

    @property
    def key(self) -> str:
        return self.title


@dataclass(frozen=True)
class OddOne:
    things: tuple[str, ...]
    odd: str
    why: str
    ages: tuple[int, int] = (4, 99)

    @property
    def key(self) -> str:
        return " ".join(self.things)


@dataclass(frozen=True)
class Choice:
    """One side of a "would you rather"."""

    words: tuple[str, ...]
    reply: str


@dataclass(frozen=True)
class Rather:
    ask: str
    a: Choice
    b: Choice
    ages: tuple[int, int] = (4, 99)

    @property
    def key(self) -> str:
        return self.ask


Item = TypeVar("Item", Joke, Riddle, Rhyme, OddOne, Rather)


def read(name: str, folder: Path = FOLDER) -> list[dict[str, Any]]:
    """The entries of a pack, as they are written: of `jokes.yaml`, `jokes-2.yaml` and so on.
    Raises OSError, yaml.YAMLError."""
    entries: list[dict[str, Any]] = []
    for path in sorted(folder.glob(f"{name}*.yaml")):
        with path.open(encoding="utf-8") as file:
            entries += yaml.load(file, _LOADER) or []
    return entries


def read_map(name: str, folder: Path = FOLDER) -> dict[str, Any]:
    """A pack that is a map. Raises OSError, yaml.YAMLError."""
    with (folder / f"{name}.yaml").open(encoding="utf-8") as file:
        entries: dict[str, Any] = yaml.load(file, _LOADER) or {}
    return entries


def _fields(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: _tuples(value) for name, value in entry.items()}


def _distinct(items: Iterable[Item]) -> tuple[Item, ...]:
    """Without those that another author has written, too."""
    return tuple({item.key: item for item in items}.values())


def _tuples(value: Any) -> Any:
    return tuple(_tuples(each) for each in value) if isinstance(value, list) else value


@cache
def jokes() -> tuple[Joke, ...]:
    return _distinct(Joke(**_fields(each)) for each in read("jokes"))


@cache
def riddles() -> tuple[Riddle, ...]:
    return _distinct(Riddle(**_fields(each)) for each in read("riddles"))


@cache
def rhymes() -> tuple[Rhyme, ...]:
    found = []
    for each in read("rhymes"):
        lines = tuple((line["line"], line.get("gap", "")) for line in each.pop("lines"))
        found.append(Rhyme(lines=lines, **_fields(each)))
    return _distinct(found)


@cache
def odd_ones() -> tuple[OddOne, ...]:
    return _distinct(OddOne(**_fields(each)) for each in read("odd"))


@cache
def rathers() -> tuple[Rather, ...]:
    return tuple(
        Rather(
            each["ask"],
            Choice(_tuples(each["a"]["words"]), each["a"]["reply"]),
            Choice(_tuples(each["b"]["words"]), each["b"]["reply"]),
        )
        for each in read("rather")
    )


def pick(
    items: tuple[Item, ...], state: State, profile: Profile, rng: Random, about: str = ""
) -> Item:
    """One that was not told of late, for the child's age and about what was asked for.

    `state["told"]` is brought up to date: it holds the keys of those that were told."""
    age = profile.age or DEFAULT_AGE
    told: list[str] = state.setdefault("told", [])
    theme = set(language.skills.content(about)) if about else set()
    fits = [each for each in items if each.ages[0] <= age <= each.ages[1]] or list(items)
    if theme:
        on_theme = [each for each in items if theme & set(getattr(each, "about", ()))]
        fits = on_theme or fits
    fresh = [each for each in fits if each.key not in told]
    chosen = rng.choice(fresh) if fresh else min(fits, key=lambda each: told.index(each.key))
    if chosen.key in told:
        told.remove(chosen.key)
    told.append(chosen.key)
    del told[: max(0, len(told) - int(len(items) * _LEAST_WAIT))]
    return chosen


def about(items: Iterable[Rhyme], thing: str) -> bool:
    """Whether any of them is about all that these plain words name."""
    theme = set(language.skills.content(thing))
    return any(theme <= set(each.about) for each in items)


def by_key(items: tuple[Item, ...], key: str) -> Item | None:
    """The one that was told; None when the pack has changed since."""
    return next((each for each in items if each.key == key), None)
