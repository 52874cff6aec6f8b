"""Of whom somebody wants a story."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from companion.language.en.second_person import phrase_in_second_person
from companion.language.en.skills.articles import with_article
from companion.language.tables import Table

_TABLE = Table(Path(__file__).with_name("heroes.yaml"))
_ABOUT = _TABLE.pattern("about")
_WHERE = _TABLE.pattern("where")
_ENDS = _TABLE.pattern("ends")
_DOES_ENDS = _TABLE.pattern("does_ends")
_FRIEND = _TABLE.pattern("friend")
_CLAUSE = _TABLE.pattern("clause")
_SEVERAL = _TABLE.words("several")
_SOMEONE = _TABLE.words("someone")
_OWN = ("my", "our", "your")

MOST_WORDS = 10
"""Words said of a hero when it first comes in; of more only its name is."""


@dataclass(frozen=True)
class Hero:
    """A hero as a story names it."""

    first: str
    """Where it comes in: "a goat that lives in the lift"."""

    after: str
    """Ever after: "the goat"."""


def hero_of(plain: str, words: str) -> Hero | None:
    """The hero that plain words ask for; None for none. words: as they were said, which show a
    name by its capital.

    >>> hero_of("tell me a story about a goat that lives in the lift", "")
    Hero(first='a goat that lives in the lift', after='the goat')
    """
    scene = _WHERE.search(plain)
    if (found := scene or _ABOUT.search(plain)) is None:
        return None
    phrase = _ENDS.sub("", found["hero"]).strip()
    names = [_CLAUSE.sub("", each) for each in phrase.split(" and ")][:2]
    if not all(names) or any(each.split()[-1] in _SOMEONE for each in names):
        return None
    named = [_named(each, words) for each in names]
    if None in named:
        return None
    each = [hero for hero in named if hero is not None]
    own = len(names) == 1 and names[0].split()[0] in ("a", "an", "one", "the", *_SEVERAL)
    whole = phrase if own and len(phrase.split()) <= MOST_WORDS else ""
    first = phrase_in_second_person(whole) or " and ".join(hero.first for hero in each)
    does = _DOES_ENDS.sub("", scene["does"]) if scene and own else ""
    if does and len(does.split()) <= MOST_WORDS:
        plainly = with_article(first[4:]) if first.startswith("the ") else first
        first = f"{plainly} that {does}"
    after = " and ".join(hero.after for hero in each)
    friend = _FRIEND.search(plain)
    if friend is None or friend["kind"] in phrase or len(names) > 1:
        return Hero(first, after)
    name = friend["name"].capitalize()
    kind = phrase_in_second_person(friend["kind"])
    return Hero(f"{first}, and {kind} called {name}", f"{after} and {name}")


def _named(name: str, words: str) -> Hero | None:
    """One hero by the words that name it."""
    first, _, rest = name.partition(" ")
    if first in ("a", "an", "one"):
        return Hero(name, f"the {rest}") if rest else None
    if first in ("the", "some"):
        return Hero(name, f"the {rest}") if rest else None
    if first in _SEVERAL:
        return Hero(name, f"the {name}") if rest else None
    if first in _OWN:
        own = phrase_in_second_person(name)
        return Hero(own, own) if rest else None
    said = re.search(rf"\b{re.escape(name)}\b", words, re.IGNORECASE)
    if said and all(part[:1].isupper() for part in said[0].split()):
        return Hero(said[0], said[0])
    if name.endswith("s") and not name.endswith("ss"):
        return Hero(f"some {name}", f"the {name}")
    return None
