"""The state machine of all games: a beginning, moves that are read from words, and an end."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from companion.skills.protocol import Request, State

GIVES_UP = "gives up"
HINT = "hint"


@dataclass(frozen=True)
class Turn:
    """What a game says to a move."""

    sentences: tuple[str, ...]
    state: State | None = None
    """None: the game is over."""


class Game(Protocol):
    """One game. Whoever stops it, or begins another, is understood before it is asked."""

    @property
    def name(self) -> str:
        """The entry of the table `games` by which it is asked for."""

    def begin(self, request: Request, rng: Random) -> Turn:
        """The first move is the toy's."""

    def reads(self, request: Request, state: State) -> Any:
        """The move that the words are; None when they are none."""

    def play(self, move: Any, request: Request, state: State, rng: Random) -> Turn:
        """What comes of a move, which is never None."""
