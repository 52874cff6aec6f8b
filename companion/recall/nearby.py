"""What is said just before and after lends: an answer often stands beside the question's words.

"We went to the reservoir" is what "who fell in at the reservoir" is nearest to; "Nessa did, up to
her knees" is what was said next.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.recall.protocol import TurnKey
from companion.records import Memory, Role

JUST_BEFORE, JUST_AFTER = 0.3, 0.1
"""Share of the score of the exchange before, and of the one after. Chosen on 821 questions about
twelve written weeks: of those the notes of 300 tokens hold the answer for 0.86, without it for 0.84
(`scripts/eval_asked.py`); 0.2 to 0.4 and 0.1 to 0.3 do as well."""


class Nearby:
    """The exchanges that were compared with one question."""

    def __init__(
        self,
        messages: Mapping[tuple[str, int, Role], float],
        facts: Mapping[int, float],
        known: Mapping[int, Memory],
    ) -> None:
        """messages, facts: scores; of an exchange whose raw turn is gone, those of what is kept."""
        self._best: dict[TurnKey, float] = {}
        for (session, number, _), score in messages.items():
            self._note((session, number), score)
        there = set(self._best)
        for id, memory in known.items():
            for source in memory.sources:
                if (key := (source.session, source.turn)) not in there:
                    self._note(key, facts[id])

    def lends(self, *keys: TurnKey) -> float:
        """To what is said in these exchanges."""
        return max(
            (
                JUST_BEFORE * self._best.get((session, number - 1), 0.0)
                + JUST_AFTER * self._best.get((session, number + 1), 0.0)
                for session, number in keys
            ),
            default=0.0,
        )

    def _note(self, key: TurnKey, score: float) -> None:
        self._best[key] = max(self._best.get(key, 0.0), score)
