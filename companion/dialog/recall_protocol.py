"""What recall is to the rest of the dialog: how it is asked, and what it answers."""

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
    """Lines of notes, the best last; empty when nothing fits."""

    items: tuple[Recalled, ...]
    used: tuple[int, ...] = ()
    """Memories that were shown, or whose turn was: their strength grows (paper section 4.4)."""

    place: Literal["message", "system"] = "message"
    """Before the person's words (design decision 1), or in the system prompt, as in the paper."""


EMPTY = RecallResult("", ())
"""Nothing is shown."""


class Recalls(Protocol):
    """Finds what fits: in `recall`, `recall_packed` and `recall_paper`."""

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

        session: the running one. shown: turns that stand in the prompt anyway. previous: what the
        person said before, for a query that says little by itself. asking: the turn of the query,
        which is no answer.
        """
