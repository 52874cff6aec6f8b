"""The first layer: patterns without a model, about ten milliseconds for a child's sentence."""

from __future__ import annotations

from collections.abc import Sequence

from companion import language
from companion.safety.normalize import plain
from companion.safety.patterns import Pattern, of_side
from companion.safety.replies import stop
from companion.safety.verdict import PASS, Side, Topic, Verdict


class PatternGuard:
    """Stops what matches one of the `patterns`."""

    def __init__(self) -> None:
        """Compiles the patterns for the child's words; those for the model's sentences are compiled
        when the first one is judged."""
        of_side("in")

    async def judge(self, text: str, *, side: Side) -> Verdict:
        topic = find(plain(text), of_side(side))
        return stop(topic, side, "patterns") if topic else PASS


def find(heard: str, patterns: Sequence[Pattern]) -> Topic | None:
    """The topic of the first pattern that matches. heard: words in plain spelling."""
    sentences = [each.strip() for each in heard.split(" .")] if " ." in heard else [heard]
    for pattern in patterns:
        if any(pattern.matches(sentence) for sentence in sentences):
            return pattern.topic
    return None


def statements(text: str, patterns: Sequence[Pattern]) -> list[str]:
    """The statements of a text that a pattern finds by themselves, in plain spelling; none of a
    text that is a single one. In "what do whales eat and also I want to die" what is harmless must
    not drown what is not."""
    found = dict.fromkeys(language.sentences.statements(text))
    parts = [plain(each) for each in found] if len(found) > 1 else []
    return [part for part in parts if find(part, patterns)]
