"""Spells a word and does a sum: what a program does rightly and a small model does not."""

from __future__ import annotations

from random import Random

from companion import language
from companion.skills.protocol import NO, SURE, Reply, Request, State
from companion.skills.replies import line


class Homework:
    """It keeps nothing."""

    name = "homework"

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def wants(self, request: Request, state: State) -> float:
        plain = request.plain
        asked = language.skills.to_spell(plain) or language.skills.sum_of(plain)
        return SURE if asked else NO

    async def answer(self, request: Request, state: State) -> Reply | None:
        if (word := language.skills.to_spell(request.plain)) is not None:
            letters = ", ".join(word.upper())
            return Reply(
                (line("homework.spell", self._rng, word=word.capitalize(), letters=letters),)
            )
        asked = language.skills.sum_of(request.plain)
        return Reply((self._done(*asked),)) if asked else None

    def _done(self, one: int, sign: str, other: int) -> str:
        said = language.skills.sum_in_words(one, sign, other)
        if sign == "/":
            if other == 0:
                return line("homework.by_nothing")
            result, rest = divmod(one, other)
            key = "homework.rest" if rest else "homework.sum"
            return line(key, self._rng, sum=said, result=result, rest=rest)
        result = {"+": one + other, "-": one - other, "*": one * other}[sign]
        if result < 0:
            return line("homework.below", self._rng, sum=said, result=-result)
        return line("homework.sum", self._rng, sum=said, result=result)
