"""Patterns and classifier as two witnesses of the same words.

A pattern is sure of words and blind to sense: "miss will kill me" is a lost book. So what it finds
is stopped where the classifier sees some danger as well, cared about where it sees little, and let
pass where it sees none at all. For what is no crisis (`verdict.CRISIS`) the pattern's word alone
counts, as there is nothing to ask about.
"""

from __future__ import annotations

import logging

from companion.safety.classifier import Classifier
from companion.safety.classifier_weights import Danger
from companion.safety.not_now import weighed
from companion.safety.pattern_guard import statements
from companion.safety.patterns import of_side
from companion.safety.replies import care
from companion.safety.verdict import CRISIS, PASS, Guard, Side, Topic, Verdict

logger = logging.getLogger(__name__)

CONFIRMED = 0.25
"""More danger than this, and what a pattern finds is stopped. Of the hands' plain sentences that a
pattern finds, 3 of 435 have less."""

DENIED = 0.01
"""Less danger than this, and it passes: of 458 grave sentences of the hands that a pattern finds,
one hint has so little (tests/safety/figures.md)."""

_PRESUMING: tuple[Topic, ...] = ("strangers",)
"""What is said in care of these presumes that there is somebody. A pattern takes "don't tell
anyone" for one of them, whatever it is that nobody is to be told."""


class Witnesses:
    """Asks the patterns, then the classifier."""

    def __init__(self, patterns: Guard, classifier: Classifier) -> None:
        self._patterns = patterns
        self._classifier = classifier

    async def judge(self, text: str, *, side: Side) -> Verdict:
        """Raises what `Classifier.judge` raises where no pattern matched; where one did and the
        classifier fails, the pattern's word counts."""
        found = await self._patterns.judge(text, side=side)
        if side == "out":
            return found
        if found.topic is None:
            return await self._classifier.judge(text, side=side)
        try:
            parts = statements(text, of_side(side))
            danger = await self._classifier.danger(text, parts, matched=True)
        except Exception as error:
            # Its text may hold what was said, so only its type is logged.
            logger.error("safety: the second witness failed (%s)", type(error).__name__)
            return found
        of_others = self._classifier.of_others
        return seconded(found, weighed(danger, text, found.topic, of_others=of_others))


def seconded(found: Verdict, danger: Danger) -> Verdict:
    """What becomes of words that a pattern stops, as `found` says."""
    if found.topic is None or found.topic not in CRISIS or danger.unsafe > CONFIRMED:
        return found
    if danger.unsafe <= DENIED:
        return PASS
    return care(found.topic, "patterns", near_stop=True, vague=found.topic in _PRESUMING)
