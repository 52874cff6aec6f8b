"""The interface of recall: what it is asked, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from companion.records import Recalled

TurnKey = tuple[str, int]
"""A turn by session and number."""


@dataclass(frozen=True)
class Query:
    """What recall is asked."""

    text: str
    session: str | None = None
    """The running session."""

    shown: frozenset[TurnKey] = frozenset()
    """Turns that are in the prompt already."""

    previous: str | None = None
    """What the person said before, for a query that says little by itself."""

    asking: TurnKey | None = None
    """The turn of the query, which must not be recalled as its own answer."""

    of_memory: bool = False
    """Whether it asks for what was told, and is read apart: more is shown, however far it is."""

    @property
    def known(self) -> frozenset[TurnKey]:
        """Turns not to be recalled: those already in the prompt, and the question itself."""
        return self.shown if self.asking is None else self.shown | {self.asking}


@dataclass(frozen=True)
class Excerpt:
    """A line of the notes, and the person's own words in it."""

    text: str
    """The line, without the day on which it was said, unless it happened on that day."""

    said: str
    """What the person said, which can be said back; "" where the line has the companion's words."""

    when: str
    """When they said it, as a reply says it: "on Friday"."""

    talk: str
    """The session it is from."""

    score: float


@dataclass(frozen=True)
class RecallResult:
    """What the model is shown before it answers."""

    block: str
    """Notes, one per line, the best last; empty when nothing fits."""

    items: tuple[Recalled, ...]
    used: tuple[int, ...] = ()
    """Memories that were shown, or whose turn was shown: this use strengthens them (paper section
    4.4)."""

    place: Literal["message", "system"] = "message"
    """Where the block stands: before the person's words (design decision 1), or in the system
    prompt, as in the paper."""

    excerpts: tuple[Excerpt, ...] = ()
    """The lines once more, the best first, so that an answer can be held to them."""


EMPTY = RecallResult("", ())
"""The result when nothing is shown."""


class Recalls(Protocol):
    """Finds what fits: `hybrid` and `paper`."""

    async def recall(self, query: Query) -> RecallResult:
        """Notes that fit. Raises EngineError, StoreFailing."""
