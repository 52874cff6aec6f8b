"""Whether a talk in which an emergency was heard is about something else by now.

Nobody says "this is no emergency": a child tells that it was long ago, that it is only a game, or
asks for a story. So the network that reads whole messages reads the words with which it began,
together with the last few: what is put right by them looks harmless together, and what is not does
not. A logistic regression over that, over the message alone, and over the same of the message
before; fitted by `scripts/fit_moved_on.py` to talks in which readers said from where on it is over
(scripts/guard/moved_on).
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence

from companion.engines.protocols import TextClassifier
from companion.errors import EngineError
from companion.safety.classifier_weights import log_odds
from companion.safety.normalize import plain
from companion.safety.whole_message import SAFE, stretches

logger = logging.getLogger(__name__)

LAST = 3
"""Messages that are read together with the first."""

WEIGHTS = (0.309, 0.081, 0.186, -0.05, -0.163)
"""Of `signs`, in order. How many messages it has been, and how surely it was one, brought nothing
for talks by other authors."""

BIAS = 1.455


class MovedOn:
    """Stateless."""

    def __init__(self, reads: TextClassifier) -> None:
        """reads: how likely a message is safe, among the kinds of danger."""
        self._reads = reads

    async def likely(self, told: str, since: Sequence[str]) -> float:
        """How likely the talk has moved on, 0 to 1; 0 where nothing can read it. told: the words
        with which the emergency began; since: what the child has said since, at least one message.
        """
        try:
            found = await self.signs(told, since)
        except EngineError as error:
            # An emergency that goes on too long is the lesser harm. The text may hold words.
            logger.error("safety: nobody reads whether it is over (%s)", type(error).__name__)
            return 0.0
        total = sum(weight * sign for weight, sign in zip(WEIGHTS, found, strict=True)) + BIAS
        return 1 / (1 + math.exp(-total))

    async def signs(self, told: str, since: Sequence[str]) -> list[float]:
        """What it is told by. Raises EngineError."""
        together, alone = await self._harmless(told, since)
        before = await self._harmless(told, since[:-1]) if since[1:] else (together, alone)
        (began, _) = await self._harmless(told, ())
        return [together, alone, *before, began]

    async def _harmless(self, told: str, since: Sequence[str]) -> tuple[float, float]:
        """Log odds that all is harmless: what was told with the last of what came since, and the
        last alone."""
        read = (" . ".join([told, *since[-LAST:]]), *since[-1:])
        odds = [await self._log_odds(text) for text in read]
        return odds[0], odds[-1]

    async def _log_odds(self, text: str) -> float:
        kinds = await self._reads.classify(stretches(plain(text)))
        return log_odds(min(each[SAFE] for each in kinds))
