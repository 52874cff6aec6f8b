"""All games as one skill: which is wanted, whose move it is, and when it is over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from random import Random

from companion import language
from companion.skills.games.game import Game, Turn
from companion.skills.protocol import LIKELY, NO, SURE, Reply, Request, State
from companion.skills.replies import line, listed
from companion.skills.turns import is_said, yes_or_no

OFFERS = 3
"""How many games are named to a child that wants to play and does not say what."""


class Games:
    """State: `game` (its name, "" while the child chooses), `of` (what the game keeps), `last`."""

    name = "games"

    def __init__(self, games: Sequence[Game], rng: Random) -> None:
        self._games = {game.name: game for game in games}
        self._rng = rng

    def wants(self, request: Request, state: State) -> float:
        if self._asked_for(request.plain) or _asks("any", request.plain):
            return SURE
        if request.running and self._moves(request, state):
            return SURE
        return LIKELY if request.asked == "ask_game" else NO

    async def answer(self, request: Request, state: State) -> Reply | None:
        words = request.plain
        if (game := self._asked_for(words)) is not None:
            return self._begin(game, request)
        if _asks("any", words):
            return self._offer()
        if request.asked == "ask_game" and not (request.running and self._moves(request, state)):
            named = self._named(words, self._games)
            if named is not None:
                return self._begin(named, request)
            return None if _asks("described", words) else self._offer()
        if not request.running:
            return None
        running = self._games.get(state["game"])
        if is_said("stop", words):
            return Reply((line("game.stop"),))
        if running is None:
            return self._chosen(request, state)
        if state["of"] is None:  # over: another round?
            again = is_said("again", words) or is_said("another", words) or yes_or_no(words)
            return self._begin(running, request) if again else Reply((line("game.over"),))
        move = running.reads(request, state["of"])
        if move is None:
            return None
        return self._reply(running, running.play(move, request, state["of"], self._rng))

    def _moves(self, request: Request, state: State) -> bool:
        """Whether the words are for the game that runs."""
        words = request.plain
        if is_said("stop", words):
            return True
        running = self._games.get(state.get("game", ""))
        if running is None:
            return (
                self._named(words, state.get("offered", ())) is not None
                or yes_or_no(words) is not None
            )
        if state["of"] is None:
            more = is_said("again", words) or is_said("another", words)
            return more or yes_or_no(words) is not None
        return running.reads(request, state["of"]) is not None

    def _asked_for(self, words: str) -> Game | None:
        return next((game for name, game in self._games.items() if _asks(name, words)), None)

    def _named(self, words: str, offered: Iterable[str]) -> Game | None:
        """The game of these that the words name, however shortly."""
        for name in offered:
            if name in self._games and _asks(f"{name}_short", words):
                return self._games[name]
        return None

    def _offer(self) -> Reply:
        names = self._rng.sample(sorted(self._games), min(OFFERS, len(self._games)))
        spoken = listed([line(f"{name}.name") for name in names], either=True)
        asked = {"game": "", "of": None, "offered": names}
        return Reply((line("game.which", games=spoken),), asked, runs=True)

    def _chosen(self, request: Request, state: State) -> Reply | None:
        game = self._named(request.plain, state.get("offered", ()))
        if game is None and yes_or_no(request.plain):
            game = self._games.get(state["offered"][0])
        return Reply((line("game.stop"),)) if game is None else self._begin(game, request)

    def _begin(self, game: Game, request: Request) -> Reply:
        return self._reply(game, game.begin(request, self._rng))

    def _reply(self, game: Game, turn: Turn) -> Reply:
        said = turn.sentences
        if turn.state is None:
            said = (*said, line("game.once_more", self._rng))
        return Reply(said, {"game": game.name, "of": turn.state}, runs=True)


def _asks(entry: str, words: str) -> re.Match[str] | None:
    found: re.Match[str] | None = language.skills.asks("games", entry, words)
    return found
