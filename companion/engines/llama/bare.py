"""llama.cpp with nothing around it: what `bench turns` holds the runtime against.

It replays token ids with the fewest calls that llama.cpp needs: keep the longest common prefix of
the cache, evaluate the rest in one batch, then sample, ask for the token's text, decode, token by
token. It knows no grid (see `llama_context`), no slices, no flag to stop it and no other thread.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import llama_cpp as native

from companion.config import LlmSection
from companion.engines.llama import sampling
from companion.engines.llama.context import LlamaContext, on_gpu
from companion.engines.llama.library import forget_errors, keep_off_the_gpu, why
from companion.engines.protocols import Options
from companion.errors import EngineError

BATCH = 512
"""Tokens evaluated at once: llama.cpp's own default for what its kernels take (n_ubatch)."""


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

    @contextmanager
    def sampler(self, options: Options) -> Iterator[Callable[[], int]]:
        """A function that chooses the next token; evaluating it is left to the caller."""
        chain = sampling.chain(options)
        try:
            yield lambda: self._choose(chain)
        finally:
            native.llama_sampler_free(chain)

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
            self.decode(prompt[start : start + BATCH])
        return len(prompt) - keep

    def decode(self, ids: Sequence[int]) -> None:
        """Evaluate these tokens, at most BATCH. Raises EngineError."""
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
