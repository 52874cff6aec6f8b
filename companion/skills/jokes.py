"""Jokes: the question, a pause for the child, the answer; and an explanation when it is wanted."""

from __future__ import annotations

from random import Random

from companion import language
from companion.skills import packs
from companion.skills.protocol import LIKELY, NO, SURE, Reply, Request, State
from companion.skills.replies import line
from companion.skills.turns import guess, is_said


class Jokes:
    """State: the jokes that were told; of the last one its question, and at which line it is."""

    name = "jokes"

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def wants(self, request: Request, state: State) -> float:
        if language.skills.asks("jokes", "joke", request.plain):
            return SURE
        if request.running and self._move(request.plain, state):
            return SURE
        return LIKELY if request.asked == "ask_joke" else NO

    async def answer(self, request: Request, state: State) -> Reply | None:
        asked = language.skills.asks("jokes", "joke", request.plain)
        move = "another" if asked else self._move(request.plain, state) if request.running else None
        if move is None and request.asked == "ask_joke":
            move = "another"
        if move == "another":
            about = (asked["about"] or "") if asked else ""
            chosen = packs.pick(packs.jokes(), state, request.profile, self._rng, about)
            return Reply((chosen.q,), {**state, "q": chosen.key, "stage": "q"}, runs=True)
        joke = packs.by_key(packs.jokes(), state.get("q", ""))
        if joke is None or move is None or move == "stop":
            return Reply((line("game.stop"),), {"told": state.get("told", [])})
        if move == "explain":
            return Reply((joke.explain,), {**state, "stage": "explained"}, runs=True)
        if state["stage"] == "q" and joke.who:
            return Reply((joke.who,), {**state, "stage": "who"}, runs=True)
        return Reply((joke.a,), {**state, "stage": "told"}, runs=True)

    def _move(self, words: str, state: State) -> str | None:
        """What the words are in the middle of a joke."""
        if is_said("stop", words):
            return "stop"
        if is_said("another", words):
            return "another"
        if state.get("stage") in ("q", "who"):
            answers = is_said("dont_know", words) or language.skills.asks("jokes", "explain", words)
            knocks = language.skills.asks("jokes", "who_is_there", words)
            short = (
                guess(words)
                or language.skills.asks("jokes", "because", words)
                or is_said("go_on", words)
            )
            return "answer" if answers or knocks or short else None
        return "explain" if language.skills.asks("jokes", "explain", words) else None
