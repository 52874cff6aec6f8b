"""Games with first letters: I spy (the child spies, for the toy has no eyes), and word chains."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from companion import language
from companion.skills import packs
from companion.skills.games.game import GIVES_UP, HINT, Turn
from companion.skills.protocol import Request, State
from companion.skills.replies import line
from companion.skills.turns import guess, is_said, yes_or_no

MOST_GUESSES = 6


@cache
def _things() -> dict[str, list[str]]:
    return {str(letter): list(things) for letter, things in packs.read_map("things").items()}


def _letter(words: str) -> str | None:
    """The first letter that the child gives: "something beginning with b"."""
    found = language.skills.asks("games", "beginning_with", words)
    return None if found is None else found[1]


class ISpy:
    """State: the letter ("" until it is said), the guesses, and whether it has given up."""

    name = "spy"

    def begin(self, request: Request, rng: Random) -> Turn:
        letter = _letter(request.plain)
        if letter is None:
            return Turn((line("spy.begin"),), {"letter": "", "guessed": []})
        return self._guess(letter, [], rng)

    def reads(self, request: Request, state: State) -> Any:
        words = request.plain
        if state["letter"] == "":
            letter = _letter(words)
            return letter or (words if len(words) == 1 and words.isalpha() else None)
        if state.get("asks") == "name":
            return guess(words)
        if is_said("hint", words) or language.skills.asks("games", "warm", words):
            return HINT
        answer = yes_or_no(words)
        return None if answer is None else "yes" if answer else "no"

    def play(self, move: Any, request: Request, state: State, rng: Random) -> Turn:
        if state["letter"] == "":
            return self._guess(move, [], rng)
        if state.get("asks") == "name":
            return Turn((line("spy.never_thought", thing=move),))
        if move == "yes":
            return Turn((line("spy.found", rng),))
        return self._guess(state["letter"], state["guessed"], rng)

    def _guess(self, letter: str, guessed: list[str], rng: Random) -> Turn:
        left = [each for each in _things().get(letter, []) if each not in guessed]
        if not left or len(guessed) >= MOST_GUESSES:
            said = (line("spy.gives_up"),)
            return Turn(said, {"letter": letter, "guessed": guessed, "asks": "name"})
        thing = rng.choice(left[:4])
        said = (line("spy.is_it", thing=language.skills.with_article(thing)),)
        return Turn(said, {"letter": letter, "guessed": [*guessed, thing]})


class WordChain:
    """Each word begins with the last letter of the one before. State: the words so far."""

    name = "chain"

    def begin(self, request: Request, rng: Random) -> Turn:
        word = rng.choice(["apple", "ball", "moon", "sock", "tiger"])
        return Turn((line("chain.begin", word=word, letter=word[-1].upper()),), {"words": [word]})

    def reads(self, request: Request, state: State) -> Any:
        words = request.plain
        if is_said("dont_know", words):
            return GIVES_UP
        if is_said("hint", words):
            return HINT
        bare = guess(words)
        return bare if bare is not None and len(bare.split()) <= 2 else None

    def play(self, move: Any, request: Request, state: State, rng: Random) -> Turn:
        said: list[str] = state["words"]
        letter = said[-1][-1]
        if move == GIVES_UP:
            return Turn((line("chain.over", count=len(said)),))
        if move == HINT:
            known = [each for each in _things().get(letter, []) if each not in said]
            key = "chain.hint" if known else "chain.no_hint"
            return Turn((line(key, word=known[0] if known else ""),), state)
        if not move.startswith(letter):
            return Turn((line("chain.wrong_letter", letter=letter.upper()),), state)
        if move in said:
            return Turn((line("chain.said_before", word=move),), state)
        mine = [each for each in _things().get(move[-1], []) if each not in (*said, move)]
        if not mine:
            return Turn((line("chain.you_win", rng, letter=move[-1].upper()),))
        word = rng.choice(mine)
        spoken = line("chain.next", rng, word=word, letter=word[-1].upper())
        return Turn((spoken,), {"words": [*said, move, word][-60:]})
