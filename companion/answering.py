"""What answers a message without the language model: small programs, and what people have written.

Health, skills and repertoire all stand behind this one protocol; the dialog asks them in the order
of `companion.assembly.dialog`, after the guard and before the model. The first that answers wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from companion.records import Profile


@dataclass(frozen=True)
class Reading:
    """What a message does (its dialog act), as far as can be told."""

    probabilities: Mapping[str, float] = field(default_factory=dict)
    """Of each act of `companion.acts.acts.ACTS`, adding up to 1; none where nothing has read it."""

    memory_question: float = 0.0
    """How likely it asks for what only the person's own tellings can answer, 0 to 1."""

    @property
    def act(self) -> str:
        """The likeliest; "" where nothing has read it."""
        return max(self.probabilities, key=self.probabilities.__getitem__, default="")

    def of(self, *acts: str) -> float:
        """How likely it is that the message does one of these, 0 to 1."""
        return sum(self.probabilities.get(act, 0.0) for act in acts)


UNREAD = Reading()


class ReadsActs(Protocol):
    """Tells what a message does."""

    async def read(self, words: str, previous: str) -> Reading:
        """`UNREAD` where it cannot tell. previous: what the companion said last in this talk; "" at
        its beginning."""


@dataclass(frozen=True)
class Heard:
    """A message that the guard let pass, and what an answer may depend on."""

    words: str
    turn: tuple[str, int] | None
    """Session and number under which the words are stored; None: nothing of it may be kept."""

    previous: str
    """What the companion said last in this talk; "" at its beginning."""

    profile: Profile
    reading: Reading = UNREAD
    """What it does: asks for a story, says goodbye, plays."""

    asks_memory: bool = False
    """Whether it asks for what only the person's own tellings can answer."""


@dataclass(frozen=True)
class Answer:
    """What is said in place of a reply of the model."""

    sentences: tuple[str, ...]
    by: str
    """Who answers: "health", "repertoire", "repertoire:listening", "skill:timer". Shown in
    `TurnResult.by`."""

    unless_known: bool = False
    """Whether it is said only where nothing is recalled, and nothing of the person's own life is
    asked: "I don't know" is no answer to what they have told."""


class Examples(Protocol):
    """Lends the model written exchanges for one message."""

    async def near(self, heard: Heard) -> Sequence[tuple[str, str]]:
        """What was said and what was answered, the likest first; none where none is near, or where
        the words go on from what was said before. Raises EngineError."""


class Answerer(Protocol):
    """Answers some messages, at once and without a language model."""

    async def answer(self, heard: Heard) -> Answer | None:
        """None: somebody else is to answer. It may raise StoreFailing and EngineError: then it
        counts as None."""


@runtime_checkable
class Forgets(Protocol):
    """An answerer that holds words in RAM."""

    def forget(self) -> None:
        """What was said may have been erased: hold nothing that the store does not."""


@dataclass(frozen=True)
class Announcement:
    """Something that is to be said although nobody has spoken: a timer rings."""

    id: int
    sentences: tuple[str, ...]
    plain: tuple[str, ...]
    """The same without any word of the person's, should a guard object to the former."""

    kind: str = "reminder"
    """"timer", "alarm" or "reminder"."""


class Announcer(Protocol):
    """Has something to say unasked, now and then."""

    async def due(self) -> list[Announcement]:
        """What is to be said now. It comes again until `announced` was told of it."""

    async def announced(self, said: Announcement) -> None:
        """It has been said."""
