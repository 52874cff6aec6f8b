"""Spells a word, does a sum and counts: what a program does rightly and a small model does not."""

from __future__ import annotations

from random import Random

from companion import language
from companion.skills.protocol import NO, SURE, Reply, Request, State
from companion.skills.replies import line

FARTHEST = 20
"""To which it counts aloud."""


class Homework:
    """It keeps nothing."""

    name = "homework"

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def wants(self, request: Request, state: State) -> float:
        plain = request.plain
        asks = (language.skills.to_spell, language.skills.sum_of, language.skills.beside)
        return SURE if any(each(plain) for each in (*asks, language.skills.count_to)) else NO

    async def answer(self, request: Request, state: State) -> Reply | None:
        if (word := language.skills.to_spell(request.plain)) is not None:
            letters = ", ".join(word.upper())
            return Reply(
                (line("homework.spell", self._rng, word=word.capitalize(), letters=letters),)
            )
        if (near := language.skills.beside(request.plain)) is not None:
            one, step = near
            key = "homework.after" if step > 0 else "homework.before"
            return Reply((line(key, self._rng, one=one, result=one + step),))
        if (count := language.skills.count_to(request.plain)) is not None:
            return Reply((self._counted(*count),))
        asked = language.skills.sum_of(request.plain)
        return Reply((self._done(*asked),)) if asked else None

    def _counted(self, most: int, down: bool) -> str:
        if not 1 < most <= FARTHEST:
            return line("homework.far", most=FARTHEST)
        numbers = range(most, 0, -1) if down else range(1, most + 1)
        return line("homework.counted", self._rng, numbers=", ".join(map(str, numbers)))

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
