"""Parts that are not there, and what a program does about them.

A command fails: it raises the named error of the part. The daemon goes on and names it: a stand-in
takes the part's place, and a `Missing` says what that means.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from companion.errors import CompanionError, StoreFailing

CANNOT_THINK = "I can't think right now."
CANNOT_LEARN = "I can't learn right now."
CANNOT_REMEMBER = "I can't remember right now."
CANNOT_HEAR_OR_SPEAK = "I can't hear or speak right now."
CANNOT_HEAR = "I can't hear you right now."
CANNOT_SPEAK = "I can't speak right now."
HEARS_ITSELF = "I may hear myself."
NOT_CALLED = "I may not notice that I am called."
NO_DEVICE = "Please check my microphone and speaker."
NO_BUTTON = "My button does not work."
NO_PAW = "My paw does not work."
NO_EARPIECE = "I can't whisper into your ear."
NO_LAMP = "My lamp does not work."


def always() -> bool:
    """Of a part that stays missing for as long as the program runs."""
    return True


@dataclass(frozen=True)
class Missing:
    """A part that is not there."""

    spoken: str
    """What it means, as the companion says it itself."""

    why: str
    """What, where, what to do: for the log and for `companion status`."""

    still: Callable[[], bool] = always
    """Whether it still is: a microphone may have been plugged in meanwhile."""

    def __str__(self) -> str:
        return f"{self.spoken} {self.why}"


class Step(Enum):
    """What is being done while a companion is opened."""

    MEMORY = "opening the memory"
    LANGUAGE_MODEL = "loading the language model"
    EMBEDDER = "loading the embedder"
    PERSONA = "reading the persona"
    FIRST_START = "the first start with a model takes some seconds more"
    """Before `PERSONA`, when the model has not read this persona before."""


def ignore(told: object) -> None:
    """Of a program that tells nobody."""


@dataclass(frozen=True)
class Policy(ABC):
    """How a program takes what happens while its parts are opened."""

    on_step: Callable[[Step], None] = ignore
    """Told of each step as it begins."""

    on_notice: Callable[[str], None] = ignore
    """Told what a person should know about how the store was found, one line each."""

    @abstractmethod
    def missing(
        self, spoken: str, error: CompanionError, still: Callable[[], bool] = always
    ) -> None:
        """A part is not there: raise its error, or note it; then a stand-in takes its place.

        spoken, still: as in `Missing`.
        """


@dataclass(frozen=True)
class Fail(Policy):
    """The policy of a command."""

    def missing(
        self, spoken: str, error: CompanionError, still: Callable[[], bool] = always
    ) -> None:
        """Raises `error`, unless it is a disk that fails for now: talk goes on without memory
        then, and the store's notice says so."""
        if not isinstance(error, StoreFailing):
            raise error


@dataclass(frozen=True)
class GoOn(Policy):
    """The policy of the daemon."""

    found: list[Missing] = field(default_factory=list)
    """Takes what is missing, in the order in which it was found."""

    def missing(
        self, spoken: str, error: CompanionError, still: Callable[[], bool] = always
    ) -> None:
        self.found.append(Missing(spoken, str(error), still))
