"""llama.cpp with nothing around it: what `bench turns` holds the runtime against.

`load_pair` loads a model once and makes two contexts over its weights on one thread: one as the
dialog uses it, with a record of which token ids it evaluated, and one bare. The bare one replays
those ids with the fewest calls that llama.cpp needs: keep the longest common prefix of its cache,
evaluate the rest in one batch, then sample, ask for the token's text, decode, token by token. It
knows no grid (see `llama_context`), no slices, no flag to stop it and no other thread. Threads,
attention and samplers are those of the dialog.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import llama_cpp as native

from companion.config import LlmSection
from companion.engines.cancel import CancelFlag
from companion.engines.llama import sampling
from companion.engines.llama.context import LlamaContext, on_gpu
from companion.engines.llama.library import forget_errors, keep_off_the_gpu, why
from companion.engines.llama.model import LlamaCpp
from companion.engines.protocols import Options
from companion.engines.worker import Worker
from companion.errors import EngineError

BATCH = 512
"""Tokens evaluated at once: llama.cpp's own default for what its kernels take (n_ubatch)."""


@dataclass(frozen=True)
class Call:
    """The token ids of one call: a prompt, and what was then written and evaluated."""

    prompt: tuple[int, ...]
    written: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Replay:
    """What a call cost without the runtime. Seconds of wall and of processor time, all threads."""

    evaluated_tokens: int
    first_s: float
    """Until the first token was chosen."""

    first_cpu_s: float
    rest_s: float
    """From then until the token after the last one was chosen."""

    rest_cpu_s: float
    chosen: tuple[int, ...]
    """What it would have written itself, each token after the ids of the record."""


class RecordingContext(LlamaContext):
    """A LlamaContext that notes what it evaluates."""

    def __init__(self, path: Path, section: LlmSection, *, exact: bool) -> None:
        super().__init__(path, section, exact=exact)
        self.calls: list[Call] = []

    def evaluate(self, ids: Sequence[int], cancel: CancelFlag) -> None:
        self.calls.append(Call(tuple(ids)))
        super().evaluate(ids, cancel)

    def extend(self, token: int, cancel: CancelFlag) -> None:
        super().extend(token, cancel)
        self.calls[-1].written.append(token)


class BareLlama:
    """A second context over the weights of another one. Blocking, for the same thread."""

    def __init__(self, beside: LlamaContext, section: LlmSection) -> None:
        """beside: whose weights it uses, and which must outlive it. Raises EngineError."""
        self._vocabulary = beside.vocabulary
        parameters = native.llama_context_default_params()
        parameters.n_ctx = beside.size
        parameters.n_batch = parameters.n_ubatch = BATCH
        parameters.n_threads = parameters.n_threads_batch = beside.threads
        parameters.no_perf = True
        if hasattr(parameters, "n_outputs_max"):
            parameters.n_outputs_max = 1
        if not on_gpu(section):
            parameters.flash_attn_type = native.LLAMA_FLASH_ATTN_TYPE_DISABLED
            keep_off_the_gpu(parameters)
        forget_errors()
        self._context = native.llama_init_from_model(beside.model, parameters)
        if not self._context:
            raise EngineError(f"no room for a second context of {beside.size} tokens ({why()})")
        self._memory = native.llama_get_memory(self._context)
        self._ids: list[int] = []

    def replay(self, call: Call, options: Options) -> Replay:
        """Do again what was recorded. Raises EngineError."""
        chain = sampling.chain(options)
        try:
            wall, cpu = time.perf_counter(), time.process_time()
            evaluated = self.read(call.prompt)
            chosen = [self._choose(chain)]
            first, first_cpu = time.perf_counter(), time.process_time()
            for token in call.written:
                self._decode([token])
                chosen.append(self._choose(chain))
            end, end_cpu = time.perf_counter(), time.process_time()
        finally:
            native.llama_sampler_free(chain)
        return Replay(
            evaluated_tokens=evaluated,
            first_s=first - wall,
            first_cpu_s=first_cpu - cpu,
            rest_s=end - first,
            rest_cpu_s=end_cpu - first_cpu,
            chosen=tuple(chosen),
        )

    def warm(self, prompt: Sequence[int]) -> int:
        """The same to its end, also where a GPU works on by itself. Raises EngineError."""
        count = self.read(prompt)
        native.llama_synchronize(self._context)
        return count

    def free(self) -> None:
        """The context; the weights belong to the other one."""
        native.llama_free(self._context)

    def read(self, prompt: Sequence[int]) -> int:
        """Read what the cache does not hold; the number of tokens. Raises EngineError."""
        common = 0
        for mine, theirs in zip(self._ids, prompt, strict=False):
            if mine != theirs:
                break
            common += 1
        keep = min(common, len(prompt) - 1)  # The last token is evaluated for its logits.
        if not native.llama_memory_seq_rm(self._memory, 0, keep, -1):
            native.llama_memory_clear(self._memory, True)  # A recurrent model cannot go back.
            keep = 0
        del self._ids[keep:]
        for start in range(keep, len(prompt), BATCH):
            self._decode(prompt[start : start + BATCH])
        return len(prompt) - keep

    def _decode(self, ids: Sequence[int]) -> None:
        tokens = (ctypes.c_int32 * len(ids))(*ids)  # The batch points at them.
        batch = native.llama_batch_get_one(tokens, len(ids))
        result = native.llama_decode(self._context, batch)
        if result != 0:
            raise EngineError(f"llama.cpp failed to replay a prompt (code {result}: {why()})")
        self._ids += ids

    def _choose(self, chain: Any) -> int:
        token: int = native.llama_sampler_sample(chain, self._context, -1)
        if not self._vocabulary.ends_answer(token):
            self._vocabulary.piece(token)
        return token


class Pair:
    """The model as the dialog has it, and bare, on one thread: never at the same time."""

    def __init__(
        self, worker: Worker, context: RecordingContext, bare: BareLlama, name: str
    ) -> None:
        self.model = LlamaCpp(worker, context, name)
        self._worker = worker
        self._context = context
        self._bare = bare

    def recorded(self) -> list[Call]:
        """Calls since this was last asked."""
        calls, self._context.calls = self._context.calls, []
        return calls

    async def replay(self, call: Call, options: Options) -> Replay:
        """Raises EngineError."""
        return await self._worker.run(self._bare.replay, call, options)

    async def warm(self, call: Call) -> int:
        """Raises EngineError."""
        return await self._worker.run(self._bare.warm, call.prompt)

    async def close(self) -> None:
        await self._worker.run(self._bare.free)
        await self.model.close()


@asynccontextmanager
async def load_pair(path: Path, section: LlmSection, *, name: str) -> AsyncIterator[Pair]:
    """Both, over weights that are loaded once. Raises ModelFileError, EngineError."""
    worker = Worker(f"llm {name}")

    def load() -> Pair:
        context = RecordingContext(path, section, exact=not on_gpu(section))
        try:
            bare = BareLlama(context, section)
        except BaseException:
            context.free()
            raise
        return Pair(worker, context, bare, name)

    try:
        pair = await worker.run(load)
    except BaseException:
        await worker.close()
        raise
    try:
        yield pair
    finally:
        await pair.close()
