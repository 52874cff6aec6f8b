"""Guess the number, both ways round."""

from __future__ import annotations

from random import Random
from typing import Any

from companion import language
from companion.skills.games.game import GIVES_UP, HINT, Turn
from companion.skills.packs import DEFAULT_AGE
from companion.skills.protocol import Request, State
from companion.skills.replies import line
from companion.skills.turns import is_said, yes_or_no


def _top(request: Request) -> int:
    age = request.profile.age or DEFAULT_AGE
    return 10 if age < 6 else 20 if age < 9 else 100


class GuessMyNumber:
    """The toy thinks of a number, and the child guesses."""

    name = "number"

    def begin(self, request: Request, rng: Random) -> Turn:
        top = _top(request)
        state = {"secret": rng.randint(1, top), "top": top, "tries": 0}
        return Turn((line("number.begin", top=top),), state)

    def reads(self, request: Request, state: State) -> Any:
        if is_said("dont_know", request.plain):
            return GIVES_UP
        if is_said("hint", request.plain):
            return HINT
        if not language.skills.asks("games", "number_guess", request.plain):
            return None
        return language.skills.number(request.plain)

    def play(self, move: Any, request: Request, state: State, rng: Random) -> Turn:
        secret, tries = state["secret"], state["tries"] + 1
        if move == GIVES_UP:
            return Turn((line("number.it_was", number=secret),))
        if move == HINT:
            key = "number.even" if secret % 2 == 0 else "number.odd"
            return Turn((line(key),), state)
        if move == secret:
            key = "number.right" if tries > 1 else "number.right_at_once"
            return Turn((line(key, number=secret, tries=tries),))
        if not 1 <= move <= state["top"]:
            return Turn((line("number.between", top=state["top"]),), state)
        key = "number.higher" if move < secret else "number.lower"
        return Turn((line(key, rng, number=move),), {**state, "tries": tries})


class GuessYourNumber:
    """The child thinks of a number, and the toy halves what is left."""

    name = "your_number"

    def begin(self, request: Request, rng: Random) -> Turn:
        top = _top(request)
        guess = (1 + top) // 2
        said = (line("your_number.begin", top=top), line("your_number.is_it", number=guess))
        return Turn(said, {"low": 1, "high": top, "guess": guess})

    def reads(self, request: Request, state: State) -> Any:
        for move in ("higher", "lower"):
            if language.skills.asks("games", move, request.plain):
                return move
        answer = yes_or_no(request.plain)
        return None if answer is None else "right" if answer else "wrong"

    def play(self, move: Any, request: Request, state: State, rng: Random) -> Turn:
        low, high, guess = state["low"], state["high"], state["guess"]
        if move == "right" or low == high:
            return Turn((line("your_number.found" if move == "right" else "your_number.odd"),))
        if move == "wrong":
            return Turn((line("your_number.which_way", number=guess),), state)
        low, high = (guess + 1, high) if move == "higher" else (low, guess - 1)
        if low > high:
            return Turn((line("your_number.odd"),))
        guess = (low + high) // 2
        said = line("your_number.must_be" if low == high else "your_number.is_it", number=guess)
        return Turn((said,), {"low": low, "high": high, "guess": guess})
