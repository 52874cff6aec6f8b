"""What speaks for a remark touching something that was told of: signs of the tables, and vectors.

"My friend's mum made satay" touches peanuts, since satay is made with them, and somebody is about
to eat; "we saw the Peanuts film" does not. `language.health` knows what is in what; whether
somebody eats, goes there or does it is learnt (`scripts/train_health.py`), also from remarks
that name nothing it knows.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion import language

Floats = NDArray[np.float32]

WAYS = ("have", "touch", "near", "do", "is")
LONG, LONGER = 12, 20
"""Words of a remark."""

SAID, ALIKE = 3.0, 20.0
"""How much the vector of what is said, and its product with that of what was told, weigh beside
the signs, which are 0 or 1."""


def without_names(words: str) -> str:
    """As `plain` spells them, without names of people and pets."""
    return language.health.plain(language.health.without_names(words))


def shared(words: str, told: str) -> set[str]:
    """Words of what was told that are said again, but for those of eating."""
    here, there = (
        {word.lower() for word in language.question.content_words(each)} for each in (words, told)
    )
    return {word for word in here & there if not language.health.eats(word)}


def subject(told: str) -> str:
    """What was told of, in the tables' names; in the words in which it was told where they know
    none. So "not the sesame. my lips go fat" and "the child is allergic to sesame" are alike."""
    return ", ".join(_named(told)) or told


def knows(told: str) -> bool:
    """Whether the tables know anything of what was told."""
    return bool(_named(told))


def may_hold(told: str, said: str) -> bool:
    """Whether something that is named is, or often holds, what was told of, or is of its kind."""
    things = _named(told)
    wanted = language.health.covered(things) | language.health.kinds(things)
    return bool(wanted & language.health.find(without_names(said)).held)


def surely(told: str, said: str) -> bool:
    """Whether somebody eats, or asks to, what holds what was told of, by the tables alone: "can I
    have peanuts?"."""
    things = _named(told)
    anonymous = without_names(said)
    held = language.health.covered(things) & language.health.find(anonymous).held
    return bool(held) and language.health.surely_eats(anonymous)


def features(
    told: Sequence[str], said: Sequence[str], meets: Sequence[float], vectors: tuple[Floats, Floats]
) -> Floats:
    """Shape (n, f), for n pairs. meets: how surely somebody eats, touches or does anything in what
    is said, 0 to 1. vectors: of what was told and of what is said, (n, d) each."""
    one, other = vectors
    rows = [signs(*pair) for pair in zip(told, said, meets, strict=True)]
    product = one * other
    near = product.sum(axis=1, keepdims=True)
    return np.hstack([np.array(rows, np.float32), near, SAID * other, ALIKE * product])


def signs(told: str, said: str, meets: float) -> list[float]:
    """Of one pair."""
    health = language.health
    things = _named(told)
    forbidden, kinds = health.covered(things), health.kinds(things)
    anonymous = without_names(said)
    here, anywhere = health.find(anonymous), health.find(health.plain(said))
    ways = {health.way(thing) for thing in things}
    held, held_named = bool(forbidden & here.held), bool(forbidden & anywhere.held)
    kind, kind_named = bool(kinds & here.held), bool(kinds & anywhere.held)
    hit, hit_named = held or kind, held_named or kind_named
    eats, surely = health.eats(anonymous), health.surely_eats(anonymous)
    leave = language.dietary.asks_leave(said)
    unknown = health.is_food(forbidden) and not here.food
    again, length = len(shared(said, told)), len(said.split())
    flags = [
        *(held, held_named, kind, kind_named),
        *(not forbidden.isdisjoint(here.named), not forbidden.isdisjoint(anywhere.named)),
        *(bool(forbidden), health.is_food(forbidden), eats, leave, surely, health.does(anonymous)),
        *(unknown, again > 0, again > 1, here.food, anywhere.food, "?" in said),
        *(length > LONG, length > LONGER),
        *(way in ways for way in WAYS),
        *(hit and eats, hit and leave, hit_named and surely, unknown and leave, unknown and eats),
        *(hit and "do" in ways, hit and "near" in ways, hit and "is" in ways),
        hit_named and length <= LONG,
    ]
    degrees = [
        *(hit * meets, hit_named * meets, unknown * meets),
        *((not forbidden) * (again > 0) * meets, (again > 0) * meets, meets),
    ]
    return [*map(float, flags), *map(float, degrees)]


def _named(told: str) -> tuple[str, ...]:
    return language.health.find(language.health.plain(told)).named
