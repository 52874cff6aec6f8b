"""Sums for the child's age, and the suitcase that has to be remembered."""

from __future__ import annotations

from random import Random
from typing import Any

from companion import language
from companion.skills.games.game import GIVES_UP, HINT, Turn
from companion.skills.packs import DEFAULT_AGE
from companion.skills.protocol import Request, State
from companion.skills.replies import line, listed
from companion.skills.turns import is_said

ROUNDS = 5
MOST_THINGS = 12


class Sums:
    """State: the two numbers and the sign, the round, and how many were right."""

    name = "sums"

    def begin(self, request: Request, rng: Random) -> Turn:
        state = {**_sum(request, rng), "round": 1, "right": 0, "missed": False}
        return Turn((line("sums.begin"), _question(state)), state)

    def reads(self, request: Request, state: State) -> Any:
        if is_said("dont_know", request.plain):
            return GIVES_UP
        if not language.skills.asks("games", "number_guess", request.plain):
            return None
        return language.skills.number(request.plain)

    def play(self, move: Any, request: Request, state: State, rng: Random) -> Turn:
        result = _result(state)
        right = move == result
        if not (right or move == GIVES_UP or state["missed"]):
            said = (line("sums.wrong", rng), _question(state))
            return Turn(said, {**state, "missed": True})
        verdict = line("sums.right", rng) if right else line("sums.it_is", number=result)
        score = state["right"] + right
        if state["round"] >= ROUNDS:
            return Turn((verdict, line("sums.end", right=score, rounds=ROUNDS)))
        following = {**_sum(request, rng), "round": state["round"] + 1, "right": score}
        return Turn((verdict, _question(following)), {**following, "missed": False})


def _sum(request: Request, rng: Random) -> State:
    """Numbers for the age: up to 5 at five, up to 20 at seven, tables from eight."""
    age = request.profile.age or DEFAULT_AGE
    if age >= 8 and rng.random() < 0.5:
        return {"a": rng.randint(2, 10), "b": rng.randint(2, 10), "sign": "times"}
    top = 5 if age <= 5 else 10 if age <= 7 else 50
    a, b = rng.randint(1, top), rng.randint(1, top)
    if age >= 6 and rng.random() < 0.5:
        return {"a": max(a, b), "b": min(a, b), "sign": "minus"}
    return {"a": a, "b": b, "sign": "plus"}


def _result(state: State) -> int:
    a, b = int(state["a"]), int(state["b"])
    return a * b if state["sign"] == "times" else a - b if state["sign"] == "minus" else a + b


def _question(state: State) -> str:
    return line(f"sums.{state['sign']}", a=state["a"], b=state["b"])


class Suitcase:
    """Each says all that is packed and adds a thing. State: the things, in order."""

    name = "suitcase"

    def begin(self, request: Request, rng: Random) -> Turn:
        thing = rng.choice(_things())
        return Turn((line("suitcase.begin", thing=thing),), {"things": [thing]})

    def reads(self, request: Request, state: State) -> Any:
        if is_said("dont_know", request.plain):
            return GIVES_UP
        if is_said("hint", request.plain):
            return HINT
        opened = language.skills.asks("games", "packed", request.plain)
        named = any(_bare(each) in request.plain for each in state["things"])
        return request.plain if opened or named else None

    def play(self, move: Any, request: Request, state: State, rng: Random) -> Turn:
        things: list[str] = state["things"]
        if move == GIVES_UP:
            said = line("suitcase.all", things=listed(things), count=len(things))
            return Turn((said,))
        if move == HINT:
            return Turn((line("suitcase.hint", thing=things[0]),), state)
        missing = [each for each in things if _bare(each) not in move]
        if missing:
            said = line("suitcase.missing", things=listed(missing), count=len(things))
            return Turn((said,))
        added = _added(move, things)
        if added is None:
            return Turn((line("suitcase.add"),), state)
        mine = [each for each in _things() if each not in (*things, added)]
        if len(things) + 2 > MOST_THINGS or not mine:
            return Turn((line("suitcase.full", count=len(things) + 1),))
        packed = [*things, added, rng.choice(mine)]
        return Turn((line("suitcase.next", things=listed(packed)),), {"things": packed})


def _things() -> list[str]:
    return line("suitcase.things").split(", ")


def _bare(thing: str) -> str:
    return thing.partition(" ")[2] or thing


def _added(move: str, things: list[str]) -> str | None:
    """What the child has put in besides what is there: the words after the last known thing."""
    rest = language.skills.without("games", "packed", move)
    for each in things:
        rest = rest.replace(each, "|").replace(_bare(each), "|")
    ends = [language.skills.without("games", "links", part) for part in rest.split("|")]
    new = [part for part in ends if part]
    return new[-1][:40] if new else None
