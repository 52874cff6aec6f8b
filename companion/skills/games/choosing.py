"""Games of choosing: the odd one out, and would you rather."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.skills import packs
from companion.skills.games.game import GIVES_UP, HINT, Turn
from companion.skills.protocol import Request, State
from companion.skills.replies import line, listed
from companion.skills.turns import is_said, names

LONGEST_CHOICE = 10
"""Words of an answer."""


class OddOneOut:
    """State: the four things, and the misses."""

    name = "odd"

    def begin(self, request: Request, rng: Random) -> Turn:
        chosen = packs.pick(packs.odd_ones(), {}, request.profile, rng)
        things = listed(chosen.things)
        return Turn((line("odd.begin", things=things),), {"q": chosen.key, "misses": 0})

    def reads(self, request: Request, state: State) -> Any:
        chosen = packs.by_key(packs.odd_ones(), state["q"])
        if chosen is None:
            return None
        if is_said("dont_know", request.plain):
            return GIVES_UP
        if is_said("hint", request.plain):
            return HINT
        short = len(request.plain.split()) <= LONGEST_CHOICE
        return names(request.plain, chosen.things) if short else None

    def play(self, move: Any, request: Request, state: State, rng: Random) -> Turn:
        chosen = packs.by_key(packs.odd_ones(), state["q"])
        assert chosen is not None, "read before"
        if move == chosen.odd:
            return Turn((line("odd.right", rng), chosen.why))
        if move == HINT:
            return Turn((chosen.why,), state)
        if move == GIVES_UP or state["misses"]:
            return Turn((line("odd.it_was", thing=chosen.odd), chosen.why))
        return Turn((line("odd.wrong", rng),), {**state, "misses": 1})


class WouldYouRather:
    """State: the question."""

    name = "rather"

    def begin(self, request: Request, rng: Random) -> Turn:
        chosen = packs.pick(packs.rathers(), {}, request.profile, rng)
        return Turn((chosen.ask,), {"q": chosen.ask})

    def reads(self, request: Request, state: State) -> Any:
        chosen = packs.by_key(packs.rathers(), state["q"])
        if chosen is None or len(request.plain.split()) > LONGEST_CHOICE:
            return None
        sides = [side for side in ("a", "b") if names(request.plain, getattr(chosen, side).words)]
        if len(sides) == 1:
            return sides[0]
        return GIVES_UP if is_said("dont_know", request.plain) else None

    def play(self, move: Any, request: Request, state: State, rng: Random) -> Turn:
        chosen = packs.by_key(packs.rathers(), state["q"])
        assert chosen is not None, "read before"
        if move == GIVES_UP:
            return Turn((line("rather.hard"),))
        return Turn(((chosen.a if move == "a" else chosen.b).reply,))
