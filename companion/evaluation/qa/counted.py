"""A language model that counts the tokens of all its answers."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engines.protocols import ChatMessage, Generation, LanguageModel, Options, Usage
from companion.evaluation.bench.watched import WatchedModel


class CountedModel(WatchedModel):
    """The same model; see `engines.protocols.LanguageModel`."""

    def __init__(self, model: LanguageModel) -> None:
        super().__init__(model)
        self._spent: list[Usage] = []

    def generate(self, messages: Sequence[ChatMessage], options: Options) -> Generation:
        generation = super().generate(messages, options)
        self._spent.append(generation.usage)
        return generation

    def take(self) -> dict[str, int]:
        """Tokens evaluated and generated since this was last asked."""
        spent, self._spent = self._spent, []
        return {
            "evaluated": sum(usage.evaluated_tokens for usage in spent),
            "generated": sum(usage.generated_tokens for usage in spent),
        }
