"""Breathing together, in a few slow rounds, to calm down."""

from __future__ import annotations

from companion import language
from companion.skills.protocol import NO, SURE, Reply, Request, State
from companion.skills.replies import every, line


class Breathing:
    """Its state is the number of rounds that were breathed."""

    name = "breathing"

    def wants(self, request: Request, state: State) -> float:
        if language.skills.asks("jokes", "breathe", request.plain):
            return SURE
        return SURE if request.running and _move(request.plain) else NO

    async def answer(self, request: Request, state: State) -> Reply | None:
        move = _move(request.plain) if request.running else None
        if move == "stop" or move == "no":
            return Reply((line("breathe.stop"),))
        rounds = state.get("rounds", 0) if move else 0
        if rounds >= 2:
            return Reply(every("breathe.end"))
        key = "breathe.again" if rounds else "breathe.first"
        return Reply(every(key), {"rounds": rounds + 1}, runs=True)


def _move(words: str) -> str | None:
    for move in ("stop", "go_on", "again", "yes", "no"):
        if language.skills.asks("turns", move, words):
            return move
    return None
