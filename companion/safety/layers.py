"""Several guards behind one, and what happens when one of them breaks."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from companion.safety.replies import stop
from companion.safety.verdict import PASS, Guard, Side, Verdict

logger = logging.getLogger(__name__)


class Layers:
    """Asks each layer in order; the first that stops decides, and one that fails stops too."""

    def __init__(self, layers: Sequence[Guard]) -> None:
        """Cheapest and surest first."""
        self._layers = tuple(layers)

    async def judge(self, text: str, *, side: Side) -> Verdict:
        for layer in self._layers:
            try:
                verdict = await layer.judge(text, side=side)
            except Exception as error:
                # Whatever it was: words that nobody has judged are never let through. The text
                # of an exception may hold what was said, so only its kind is logged.
                name = type(layer).__name__
                logger.error("safety: layer %s failed (%s)", name, type(error).__name__)
                return stop("unsure", side, f"{name} failed")
            if verdict.stops:
                return verdict
        return PASS
