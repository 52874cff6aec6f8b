"""What a skill is: a small program that answers messages that are meant for it.

A skill is asked with a `Request` and its own state, and gives sentences and its new state. It holds
nothing of the conversation itself, so a power cut between two messages loses nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from companion.records import Profile

State = dict[str, Any]
"""What a skill keeps between two messages: a small object that can be written as JSON."""

SURE = 1.0
LIKELY = 0.7
NO = 0.0
"""How sure a skill is that words are meant for it. From 0.5 on it answers."""


@dataclass(frozen=True)
class Request:
    """A message, and all that a skill may know of the moment."""

    words: str
    """As they were said."""

    plain: str
    """The same in lower case, without punctuation, name and politeness: "hey Pip, stop please!"
    is "stop". The language's tables read this."""

    previous: str
    """What the companion said last in this talk; "" at its beginning."""

    profile: Profile
    now: datetime
    """The wall clock, timezone-aware. Believe it only where `trusted`."""

    trusted: bool
    """Whether the wall clock can be believed."""

    turn: tuple[str, int] | None
    """Session and number of the turn; None: nothing may be kept."""

    running: bool = False
    """Whether the skill waits for an answer, and this talk is the one in which it asked."""

    asked: str = ""
    """What the words surely ask for, however they are worded: the act "ask_story", say, of
    `companion.acts`; "" where that is not sure. A skill's own rules go before it."""

    unheard: int = 0
    """How many of the last sentences of the skill's last answer were not heard to their end."""


@dataclass(frozen=True)
class Reply:
    """What a skill says to a message."""

    sentences: tuple[str, ...]
    """For the ear, each complete; the guard judges each."""

    state: State | None = None
    """What it keeps; None: nothing."""

    runs: bool = False
    """Whether the next message is likely to be for it, and so comes to it first."""

    waits: bool = False
    """Whether it waits for days; else it is over when the child has turned to something else."""


class Skill(Protocol):
    """One small program. It has no model, no store, and not much time."""

    @property
    def name(self) -> str:
        """A plain word, unique: "riddles". `skills.without` of the configuration names it."""

    def wants(self, request: Request, state: State) -> float:
        """How sure it is that the words are meant for it, 0 to 1, by rules. `state` is {} when it
        keeps nothing."""

    async def answer(self, request: Request, state: State) -> Reply | None:
        """What it says; None after all: somebody else is to answer."""
