"""The interface of recall: what it is asked, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from companion.records import Recalled

TurnKey = tuple[str, int]
"""A turn by session and number."""


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


EMPTY = RecallResult("", ())
"""The result when nothing is shown."""


class Recalls(Protocol):
    """Finds what fits: `hybrid`, `packed` and `paper`."""

    async def recall(
        self,
        query: str,
        *,
        session: str | None,
        shown: frozenset[TurnKey],
        previous: str | None,
        asking: TurnKey | None = None,
    ) -> RecallResult:
        """Notes that fit `query`.

        session: the running one. shown: turns that are in the prompt already. previous: what the
        person said before, for a query that says little by itself. asking: the turn of the query,
        which must not be recalled as its own answer.
        """
