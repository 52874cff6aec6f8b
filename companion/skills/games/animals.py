"""Guess the animal: the toy thinks of one and gives clues; or the child does, and the toy asks."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

from companion import language
from companion.skills import packs
from companion.skills.games.game import GIVES_UP, HINT, Turn
from companion.skills.protocol import Request, State
from companion.skills.replies import line
from companion.skills.turns import guess, is_said, names, yes_or_no

MOST_QUESTIONS = 20


@cache
def _animals() -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in packs.read("animals")}


@cache
def _traits() -> tuple[str, ...]:
    return tuple(sorted({trait for each in _animals().values() for trait in each["has"]}))


def _named(words: str) -> str | None:
    """The animal that words name."""
    for name, each in _animals().items():
        if names(words, tuple(each["words"])) is not None:
            return name
    return None


class GuessMyAnimal:
    """State: `secret`, and how many clues were given."""

    name = "animal"

    def begin(self, request: Request, rng: Random) -> Turn:
        secret = rng.choice(sorted(_animals()))
        said = (line("animal.begin"), _animals()[secret]["clues"][0])
        return Turn(said, {"secret": secret, "clues": 1})

    def reads(self, request: Request, state: State) -> Any:
        words = request.plain
        for entry, move in (("hint", HINT), ("another", HINT), ("dont_know", GIVES_UP)):
            if is_said(entry, words):
                return move
        if len(words.split()) <= 7 and (named := _named(words)) and guess(words):
            return named
        for trait in _traits():
            if language.skills.asks("traits", trait, words) and language.skills.asks(
                "games", "asks_of_it", words
            ):
                return f"?{trait}"
        return "other" if guess(words) else None

    def play(self, move: Any, request: Request, state: State, rng: Random) -> Turn:
        secret = _animals()[state["secret"]]
        if move == secret["name"]:
            return Turn((line("animal.right", rng, animal=secret["name"]),))
        if move == GIVES_UP:
            return Turn((line("animal.it_was", animal=secret["name"]),))
        if move.startswith("?"):
            return Turn((line("say.yes" if move[1:] in secret["has"] else "say.no"),), state)
        given = state["clues"]
        if given >= len(secret["clues"]):
            key = "animal.no_more_clues" if move == HINT else "animal.wrong"
            return Turn((line(key, rng),), state)
        no = () if move == HINT else (line("animal.no", rng),)
        return Turn((*no, secret["clues"][given]), {**state, "clues": given + 1})


class GuessYourAnimal:
    """Twenty questions, with the toy asking. State: what was answered, and what is being asked."""

    name = "your_animal"

    def begin(self, request: Request, rng: Random) -> Turn:
        turn = self._next({"yes": [], "no": [], "skip": [], "not": []}, rng)
        return Turn((line("your_animal.begin"), *turn.sentences), turn.state)

    def reads(self, request: Request, state: State) -> Any:
        if state.get("asks") == "name":
            return _named(request.plain) or guess(request.plain)
        answer = yes_or_no(request.plain)
        if answer is not None:
            return "yes" if answer else "no"
        unsure = is_said("dont_know", request.plain) or language.skills.asks(
            "games", "sometimes", request.plain
        )
        return "skip" if unsure else None

    def play(self, move: Any, request: Request, state: State, rng: Random) -> Turn:
        asked = state["asks"]
        if asked == "name":
            return Turn((line("your_animal.never_thought", animal=move),))
        if asked.startswith("="):
            if move == "yes":
                return Turn((line("your_animal.found", rng),))
            return self._next({**state, "not": [*state["not"], asked[1:]]}, rng)
        return self._next({**state, move: [*state[move], asked]}, rng)

    def _next(self, state: State, rng: Random) -> Turn:
        """Ask what halves best what is left; guess when one is left; give up when none is."""
        left = [
            each
            for name, each in _animals().items()
            if name not in state["not"]
            and set(state["yes"]) <= set(each["has"])
            and not set(state["no"]) & set(each["has"])
        ]
        questions = sum(len(state[each]) for each in ("yes", "no", "skip", "not"))
        if not left or questions >= MOST_QUESTIONS:
            return Turn((line("your_animal.gives_up"),), {**state, "asks": "name"})
        known = {*state["yes"], *state["no"], *state["skip"]}
        counts = Counter(trait for each in left for trait in each["has"] if trait not in known)
        open_traits = [trait for trait, count in counts.items() if count < len(left)]
        if len(left) <= 2 or not open_traits:
            name = left[0]["name"]
            article = language.skills.with_article(name)
            return Turn((line("your_animal.is_it", animal=article),), {**state, "asks": f"={name}"})
        best = min(sorted(open_traits), key=lambda trait: abs(counts[trait] - len(left) / 2))
        return Turn((line(f"trait.{best}"),), {**state, "asks": best})
