"""A quantized model in a GGUF file, through llama.cpp's own interface, in this process."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.config import LlmSection
from companion.engines.cancel import CancelFlag
from companion.engines.generation import RunningAnswer
from companion.engines.llama import chat_format
from companion.engines.llama.answer import Answer, read_prompt
from companion.engines.llama.context import LlamaContext, Stopped, on_gpu
from companion.engines.llama.prompt_tokens import PromptTokens
from companion.engines.protocols import ChatMessage, Options, Snapshot, Usage
from companion.engines.worker import Worker
from companion.errors import EngineError

KEPT_PROMPTS = 8
"""Token ids of past messages are kept for about so many full contexts."""


class LlamaCpp:
    """A LanguageModel over llama.cpp; see `protocols.LanguageModel`."""

    def __init__(self, worker: Worker, context: LlamaContext, name: str) -> None:
        self._worker = worker
        self._context = context
        self.name = name
        self.context_tokens = context.size
        self.tuned = context.adapted
        self._prompts = PromptTokens(
            context.vocabulary, _chat_format(context), room=KEPT_PROMPTS * context.size
        )

    @classmethod
    async def load(
        cls, path: Path, section: LlmSection, *, name: str, adapter: Path | None = None
    ) -> LlamaCpp:
        """Load a GGUF, and an adapter over it. Raises ModelFileError, EngineError."""
        worker = Worker(f"llm {name}")
        loaded: list[LlamaContext] = []
        try:
            exact = not on_gpu(section)
            await worker.run(
                lambda: loaded.append(LlamaContext(path, section, exact=exact, adapter=adapter))
            )
            return cls(worker, loaded[0], name)
        except BaseException:
            # Also when the awaiting task was cancelled after the weights were there.
            await worker.close(loaded[0].free if loaded else None)
            raise

    def count(self, messages: Sequence[ChatMessage]) -> int:
        self._refuse_when_closed()
        return len(self._prompts.prompt(messages, answer=True))

    def generate(self, messages: Sequence[ChatMessage], options: Options) -> RunningAnswer:
        cancel = CancelFlag(options.deadline_s)
        usage = Usage()
        pieces = partial(self._answer, list(messages), options, usage, cancel)
        stream = self._worker.stream(pieces, cancel=cancel)
        return RunningAnswer(stream, usage, lambda: cancel.reason)

    async def warm(self, messages: Sequence[ChatMessage], *, trained: bool = False) -> Usage:
        cancel = CancelFlag()
        return await self._worker.run(self._warm, list(messages), trained, cancel, cancel=cancel)

    async def hidden_state(self, messages: Sequence[ChatMessage]) -> NDArray[np.float32]:
        cancel = CancelFlag()
        return await self._worker.run(self._hidden_state, list(messages), cancel, cancel=cancel)

    async def snapshot(self) -> Snapshot | None:
        return await self._worker.run(self._snapshot)

    async def restore(self, snapshot: Snapshot) -> bool:
        return await self._worker.run(self._restore, snapshot)

    async def close(self) -> None:
        await self._worker.close(self._context.free)

    def _refuse_when_closed(self) -> None:
        if self._worker.closed:
            raise EngineError(f"{self.name}: was closed and cannot be used any more")

    def _snapshot(self) -> Snapshot:
        return Snapshot(*self._context.copy_state(), trained=self._context.trained)

    def _restore(self, snapshot: Snapshot) -> bool:
        self._context.put_adapter(on=snapshot.trained)
        return self._context.put_state(snapshot.token_ids, snapshot.state)

    def _warm(self, messages: list[ChatMessage], trained: bool, cancel: CancelFlag) -> Usage:
        self._context.put_adapter(on=trained)
        usage = Usage()
        started = time.monotonic()
        ids = self._prompts.prompt(messages, answer=False)
        try:
            if ids:
                read_prompt(self._context, ids, usage, cancel)
            usage.finish = "stop"
        except Stopped:
            usage.finish = cancel.reason
        usage.total_s = time.monotonic() - started
        return usage

    def _hidden_state(self, messages: list[ChatMessage], cancel: CancelFlag) -> NDArray[np.float32]:
        self._context.put_adapter(on=False)
        ids = self._prompts.prompt(messages, answer=True)
        try:
            read_prompt(self._context, ids[:-1], Usage(), cancel)
            return self._context.extend_for_state(ids[-1], cancel)
        except Stopped:
            raise EngineError(f"{self.name}: stopped in the middle of a prompt") from None

    def _answer(
        self, messages: list[ChatMessage], options: Options, usage: Usage, cancel: CancelFlag
    ) -> Iterator[str]:
        self._context.put_adapter(on=options.trained)
        ids = self._prompts.prompt(messages, answer=True)
        answer = Answer(self._context, ids, options, usage, cancel)
        try:
            yield from answer.pieces()
        finally:
            if not self._context.exact:
                self._prompts.remember(answer.text, answer.ids)


def _chat_format(context: LlamaContext) -> chat_format.ChatFormat:
    vocabulary = context.vocabulary
    begin = vocabulary.begin
    if context.template is not None:
        form = chat_format.from_template(context.template, begin=begin, end=vocabulary.end)
    elif len(vocabulary.template("<|im_start|><|im_end|>")) == 2:
        # No template, but the two special tokens of this format: it was trained on it.
        form = chat_format.chatml()
    else:
        raise EngineError("the model file has no chat template; use an instruction-tuned model")
    if vocabulary.wants_begin and not form.start and not form.prefix["user"].startswith(begin):
        form = replace(form, start=begin)
    return form
