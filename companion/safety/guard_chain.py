"""Several guards in a row, and what happens when one of them fails."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from companion.safety.replies import stop
from companion.safety.verdict import PASS, Guard, Side, Verdict

logger = logging.getLogger(__name__)


class GuardChain:
    """Asks each guard in order; the first that stops decides, and one that fails stops too. One
    that cares decides if no other stops."""

    def __init__(self, guards: Sequence[Guard]) -> None:
        """Cheapest and surest first."""
        self._guards = tuple(guards)

    async def judge(self, text: str, *, side: Side) -> Verdict:
        found = PASS
        for guard in self._guards:
            try:
                verdict = await guard.judge(text, side=side)
            except Exception as error:
                # Whatever went wrong, words that have not been judged never pass. The text of an
                # exception may hold what was said, so only its type is logged.
                name = type(guard).__name__
                logger.error("safety: %s failed (%s)", name, type(error).__name__)
                return stop("unsure", side, f"{name} failed")
            if verdict.stops and not verdict.cares:
                return verdict
            found = verdict if verdict.cares and not found.cares else found
        return found
