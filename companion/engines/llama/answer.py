"""One answer of a llama.cpp model: read the prompt, then write token by token."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.engines.cancel import CancelFlag
from companion.engines.llama.context import LlamaContext, Stopped
from companion.engines.llama.incremental_decoder import Piecewise
from companion.engines.llama.sampling import Sampler
from companion.engines.protocols import Finish, Options, Usage
from companion.errors import ContextTooSmall


def read_prompt(
    context: LlamaContext, ids: Sequence[int], usage: Usage, cancel: CancelFlag
) -> None:
    """Evaluate what the cache does not hold. Raises Stopped, ContextTooSmall, EngineError."""
    usage.prompt_tokens = len(ids)
    if len(ids) >= context.size:
        raise ContextTooSmall(
            f"the prompt has {len(ids)} tokens and its answer needs at least one, but the model "
            f"has a context of {context.size}; raise context_tokens"
        )
    usage.cached_tokens = context.prepare(ids)
    try:
        context.evaluate(ids, cancel)
    finally:
        usage.evaluated_tokens = context.length - usage.cached_tokens


@dataclass(eq=False)
class Answer:
    """An answer in the making: the prompt is read, then one token follows another."""

    _context: LlamaContext
    _prompt: Sequence[int]
    _options: Options
    _usage: Usage
    _cancel: CancelFlag

    def __post_init__(self) -> None:
        self.text = ""
        """All that was yielded."""

        self.ids: list[int] = []
        """The tokens that were generated, without the one that ended the answer."""

        self._characters = Piecewise(self._options.stop)

    def pieces(self) -> Iterator[str]:
        """The text, as it becomes certain. A raised flag ends it without an error.

        Raises ContextTooSmall, EngineError.
        """
        sampler = Sampler(self._context.vocabulary, self._options)
        try:
            read_prompt(self._context, self._prompt, self._usage, self._cancel)
            for piece in self._write(sampler):
                self.text += piece
                yield piece
        except (Stopped, GeneratorExit):
            self._usage.finish = self._cancel.reason
        finally:
            sampler.free()

    def _write(self, sampler: Sampler) -> Iterator[str]:
        finish: Finish = "length"
        while self._usage.generated_tokens < self._options.max_tokens:
            token = sampler.choose(self._context.logits())
            if self._context.vocabulary.ends_answer(token):
                finish = "stop"
                break
            self._usage.generated_tokens += 1
            self.ids.append(token)
            if piece := self._characters.feed(self._context.vocabulary.piece(token)):
                yield piece
            if self._characters.stopped:
                finish = "stop"
                break
            if self._context.full:
                break
            if self._usage.generated_tokens < self._options.max_tokens:
                self._context.extend(token, self._cancel)
        if rest := self._characters.rest():
            yield rest
        self._usage.finish = finish
