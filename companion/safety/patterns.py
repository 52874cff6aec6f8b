"""The first layer: code alone, no model, about ten milliseconds for a child's sentence."""

from __future__ import annotations

from collections.abc import Sequence

from companion.safety.hearing import plain
from companion.safety.model_patterns import MODEL
from companion.safety.pattern import Pattern
from companion.safety.replies import stop
from companion.safety.said import CHILD
from companion.safety.verdict import PASS, Side, Topic, Verdict


class Patterns:
    """Stops what matches; see `said` and `model_patterns`."""

    async def judge(self, text: str, *, side: Side) -> Verdict:
        topic = find(plain(text), CHILD if side == "in" else MODEL)
        return stop(topic, side, "patterns") if topic else PASS


def find(heard: str, patterns: Sequence[Pattern]) -> Topic | None:
    """The topic of the first pattern that words in plain spelling match."""
    sentences = [each.strip() for each in heard.split(" .")] if " ." in heard else [heard]
    for pattern in patterns:
        for sentence in sentences:
            if pattern.says.search(sentence) and not (
                pattern.unless and pattern.unless.search(sentence)
            ):
                return pattern.topic
    return None
