"""Riddles: with a hint, three guesses or more, and why the answer is right."""

from __future__ import annotations

from random import Random

from companion import language
from companion.skills import packs
from companion.skills.protocol import LIKELY, NO, SURE, Reply, Request, State
from companion.skills.replies import line
from companion.skills.turns import guess, is_said, names

HINT_AFTER = 2
"""Wrong guesses after which the hint comes by itself."""


class Riddles:
    """State: the riddles that were asked; of the open one its question and the wrong guesses."""

    name = "riddles"

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def wants(self, request: Request, state: State) -> float:
        if language.skills.asks("jokes", "riddle", request.plain):
            return SURE
        if request.running and self._move(request.plain, state):
            return SURE
        return LIKELY if request.asked == "ask_riddle" else NO

    async def answer(self, request: Request, state: State) -> Reply | None:
        asked = language.skills.asks("jokes", "riddle", request.plain)
        move = "another" if asked else self._move(request.plain, state) if request.running else None
        if move is None and request.asked == "ask_riddle":
            move = "another"
        if move == "another":
            about = (asked["about"] or "") if asked else ""
            chosen = packs.pick(packs.riddles(), state, request.profile, self._rng, about)
            return Reply((chosen.q,), {**state, "q": chosen.key, "wrong": 0}, runs=True)
        riddle = packs.by_key(packs.riddles(), state.get("q", ""))
        over = {"told": state.get("told", []), "q": state.get("q", "")}
        if riddle is None or move is None or move == "stop":
            return Reply((line("game.stop"),), over)
        if move == "again":
            return Reply((riddle.q,), state, runs=True)
        if move == "hint":
            return Reply((riddle.hint,), {**state, "wrong": HINT_AFTER}, runs=True)
        if move == "explain":
            return Reply((riddle.explain,), over, runs=True)
        if move == "right":
            said = (line("riddle.right", self._rng), riddle.explain)
            return Reply(said, over, runs=True)
        if move == "dont_know":
            said = (line("riddle.answer", answer=riddle.answers[0]), riddle.explain)
            return Reply(said, over, runs=True)
        return self._wrong(riddle, request.plain, state)

    def _wrong(self, riddle: packs.Riddle, words: str, state: State) -> Reply:
        wrong = state["wrong"] + 1
        near = names(words, riddle.near) is not None
        said = [line("riddle.near" if near else "riddle.wrong", self._rng)]
        if wrong == HINT_AFTER:
            said.append(line("riddle.hint", hint=riddle.hint))
        return Reply(tuple(said), {**state, "wrong": wrong}, runs=True)

    def _move(self, words: str, state: State) -> str | None:
        if is_said("stop", words):
            return "stop"
        if "wrong" not in state:  # it has been solved
            if is_said("another", words):
                return "another"
            return "explain" if language.skills.asks("jokes", "explain", words) else None
        riddle = packs.by_key(packs.riddles(), state["q"])
        if riddle is None:
            return None
        if len(words.split()) <= 8 and names(words, riddle.answers) is not None:
            return "right"
        for move in ("hint", "dont_know", "again", "another"):
            if is_said(move, words):
                return move
        return "guess" if guess(words) else None
