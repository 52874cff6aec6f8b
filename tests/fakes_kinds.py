"""A text classifier that finds a kind where it is told to."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engines.protocols import TextOrPair
from companion.errors import EngineError


class FixedKinds:
    """A TextClassifier: texts with one of these words are of its kind, all others are safe."""

    def __init__(self, kinds: dict[str, str], sure: float = 0.98) -> None:
        self.kinds = kinds
        self.sure = sure
        self.asked: list[str] = []

    async def classify(self, texts: Sequence[TextOrPair]) -> list[dict[str, float]]:
        read = [each if isinstance(each, str) else " ".join(each) for each in texts]
        self.asked += read
        return [self._kinds_of(text) for text in read]

    def _kinds_of(self, text: str) -> dict[str, float]:
        found = {"safe", *self.kinds.values()}
        kind = next((kind for word, kind in self.kinds.items() if word in text), "safe")
        rest = (1 - self.sure) / max(len(found) - 1, 1)
        return {each: self.sure if each == kind else rest for each in sorted(found)}


class BrokenKinds:
    """A TextClassifier whose file is broken."""

    async def classify(self, texts: Sequence[TextOrPair]) -> list[dict[str, float]]:
        raise EngineError("x.onnx cannot read: broken")
