"""A llama.cpp context with one sequence of tokens: evaluate, reuse, abort, set aside.

Blocking, for one thread. Prompts are evaluated in slices; a raised flag stops the work between
two slices and, on a CPU, between two nodes of the compute graph. A GPU works on after llama.cpp has
returned: each slice is waited for, so that no second one is queued behind it, and its length is
chosen by speed (`slices`).

**Exact reuse.** A token's keys and values depend a little on the batch that computed them: the
kernels that multiply many rows round differently from those for a few rows or one. Measured on
x86-64 (135M, 0.5B and 1.5B, AVX2 and AVX-512 builds; logits after one batch against those after
other splits of the same prompt): no difference at all when every batch begins at a multiple of 8
and holds at least 8 tokens; up to 0.7 otherwise, enough to change a greedy answer now and then;
with flash attention up to 0.9 for most splits. So on a CPU flash attention is off, batches keep
to that grid, and only what was computed on it is reused. What was generated token by token is
evaluated once more when a later prompt contains it: `warm` does so while nobody waits. A GPU's
kernels have no such grid: there (`exact=False`) everything in the cache is reused, and answers
may differ in near ties.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence
from pathlib import Path

import llama_cpp as native
import numpy as np
from numpy.typing import NDArray

from companion.config import LlmSection
from companion.engines.cancel import CancelFlag
from companion.engines.cores import usable_cores
from companion.engines.llama.adapter import load, use
from companion.engines.llama.library import (
    failure,
    forget_errors,
    keep_off_the_gpu,
    load_model,
    why,
)
from companion.engines.llama.out_of_memory import shortage
from companion.engines.llama.slices import Slices
from companion.engines.llama.vocabulary import Vocabulary
from companion.errors import EngineError, ModelFileError

GRID = 8
"""Batches begin at multiples of this and hold at least as many tokens; see above."""

ABORTED = 2  # what llama_decode returns when the abort callback said so

# Called per graph node while Python's lock is released. strlen over a CancelFlag is 0 until the
# flag is raised, so no Python code runs there: a Python callback would wait for the lock each
# time, thousands of times per token.
_flag_is_raised = ctypes.cast(ctypes.CDLL(None).strlen, native.ggml_abort_callback)


class Stopped(Exception):
    """The cancel flag was raised; the context holds what was evaluated before."""


class LlamaContext:
    """Model, context and the ids of the tokens whose keys and values it holds."""

    def __init__(
        self,
        path: Path,
        section: LlmSection,
        *,
        exact: bool = True,
        adapter: Path | None = None,
    ) -> None:
        """Load weights and allocate the cache; `exact`: reuse only what is on the grid. adapter:
        what was trained over the weights.

        Raises ModelFileError, EngineError.
        """
        self.exact = exact
        self._waits = on_gpu(section)
        self.slices = Slices(section.prefill_slice, GRID, paced=self._waits)
        self.threads = section.threads or usable_cores()
        self.model = load_model(path, section.gpu_layers, mmap=section.mmap)
        """A `llama_model *`, freed with this context."""

        self.vocabulary = Vocabulary(self.model)
        forget_errors()
        self._context = native.llama_init_from_model(self.model, self._parameters(section))
        if not self._context:
            native.llama_model_free(self.model)
            raise EngineError(f"{path}: {_no_context(section)}")
        self.adapted, self.trained = adapter is not None, False
        """Whether there is an adapter, and whether it is on."""
        if adapter is not None:
            try:
                self._adapter = load(self.model, adapter)
            except ModelFileError:
                native.llama_free(self._context)
                native.llama_model_free(self.model)
                raise
        self._memory = native.llama_get_memory(self._context)
        self._batch = native.llama_batch_init(self.slices.most + GRID, 0, 1)
        self._ids: list[int] = []
        self._on_grid = 0  # So many of them, from the start, were evaluated in slices.
        self.size: int = native.llama_n_ctx(self._context)

    @property
    def template(self) -> str | None:
        """The chat template of the model file."""
        text: bytes | None = native.llama_model_chat_template(self.model, None)
        return text.decode("utf-8", "replace") if text else None

    def put_adapter(self, *, on: bool) -> None:
        """With or without the adapter from now on. What was evaluated the other way is dropped.
        Raises EngineError."""
        if not self.adapted or on == self.trained:
            return
        self._cut(0)
        use(self._context, self._adapter, on=on)
        self.trained = on

    def prepare(self, ids: Sequence[int]) -> int:
        """Keep the part of the cache that `ids` can go on from; its length."""
        common = 0
        for mine, theirs in zip(self._ids, ids, strict=False):
            if mine != theirs:
                break
            common += 1
        # At least the last token is evaluated, for its logits.
        if self.exact:
            keep = min(common, self._on_grid, len(ids) - GRID) // GRID * GRID
        else:
            keep = min(common, len(ids) - 1)
        self._cut(max(0, keep))
        return len(self._ids)

    def evaluate(self, ids: Sequence[int], cancel: CancelFlag) -> None:
        """Bring the cache from what `prepare` kept to all of `ids`; logits are of the last.

        Raises Stopped (whole slices stay), EngineError.
        """
        native.llama_set_abort_callback(self._context, _flag_is_raised, cancel.address)
        self._flag = cancel  # Keeps the memory at that address, which `extend` reads too.
        while len(self._ids) < len(ids):
            rest = len(ids) - len(self._ids)
            # The last slice takes the remainder in: a batch is never shorter than the grid.
            length = rest if rest < self.slices.length + GRID else self.slices.length
            began = time.perf_counter()
            self._decode(ids[len(self._ids) : len(self._ids) + length], length == rest, cancel)
            self.slices.took(length, time.perf_counter() - began)
            self._on_grid = len(self._ids)

    def extend(self, token: int, cancel: CancelFlag) -> None:
        """Evaluate one generated token. Raises Stopped, EngineError."""
        self._decode([token], True, cancel)

    def logits(self) -> NDArray[np.float32]:
        """Of the last token, shape (vocabulary,): a view that the next evaluation overwrites."""
        return np.ctypeslib.as_array(
            native.llama_get_logits_ith(self._context, -1), shape=(self.vocabulary.size,)
        )

    def extend_for_state(self, token: int, cancel: CancelFlag) -> NDArray[np.float32]:
        """Evaluate one more token of a prompt, and what the last layer makes of it, after the norm
        before the vocabulary: shape (hidden size,), a copy. Raises Stopped, EngineError."""
        native.llama_set_embeddings(self._context, True)
        try:
            self._decode([token], True, cancel)
            size = native.llama_model_n_embd(self.model)
            row = native.llama_get_embeddings_ith(self._context, -1)
            return np.array(np.ctypeslib.as_array(row, shape=(size,)))
        finally:
            native.llama_set_embeddings(self._context, False)

    @property
    def length(self) -> int:
        """Tokens in the cache."""
        return len(self._ids)

    @property
    def full(self) -> bool:
        return len(self._ids) >= self.size

    def copy_state(self) -> tuple[tuple[int, ...], bytes]:
        """The reusable part of the cache: its ids, and its keys and values."""
        if self.exact:
            self._cut(self._on_grid // GRID * GRID)
        room = native.llama_state_seq_get_size(self._context, 0)
        buffer = (ctypes.c_uint8 * room)()
        size = native.llama_state_seq_get_data(self._context, buffer, room, 0)
        return tuple(self._ids), bytes(memoryview(buffer)[:size])

    def put_state(self, ids: Sequence[int], state: bytes) -> bool:
        """Make a copied state the present one; False (and an empty cache) when it does not fit."""
        self._cut(0)
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        if not native.llama_state_seq_set_data(self._context, buffer, len(state), 0):
            self._cut(0)
            return False
        self._ids = list(ids)
        self._on_grid = len(self._ids)
        return True

    def free(self) -> None:
        native.llama_batch_free(self._batch)
        native.llama_free(self._context)
        native.llama_model_free(self.model)

    def _parameters(self, section: LlmSection) -> native.llama_context_params:
        parameters: native.llama_context_params = native.llama_context_default_params()
        trained = native.llama_model_n_ctx_train(self.model)
        parameters.n_ctx = min(section.context_tokens, trained)
        parameters.n_batch = parameters.n_ubatch = self.slices.most + GRID
        # Only a prompt's last token is asked for its logits; room for each token's would be most
        # of the compute buffers. Older bindings do not know the field.
        if hasattr(parameters, "n_outputs_max"):
            parameters.n_outputs_max = 1
        parameters.n_threads = parameters.n_threads_batch = self.threads
        parameters.flash_attn_type = (
            native.LLAMA_FLASH_ATTN_TYPE_DISABLED
            if self.exact
            else native.LLAMA_FLASH_ATTN_TYPE_AUTO
        )
        parameters.no_perf = True
        if not on_gpu(section):
            keep_off_the_gpu(parameters)
        return parameters

    def _cut(self, length: int) -> None:
        """Forget all tokens from position `length` on."""
        if not native.llama_memory_seq_rm(self._memory, 0, length, -1):
            # Recurrent models cannot go back a little: they start over.
            length = 0
            native.llama_memory_clear(self._memory, True)
        del self._ids[length:]
        self._on_grid = min(self._on_grid, length)

    def _decode(self, ids: Sequence[int], wants_logits: bool, cancel: CancelFlag) -> None:
        if cancel.is_set:
            raise Stopped
        position = len(self._ids)
        batch = self._batch
        batch.n_tokens = len(ids)
        for index, token in enumerate(ids):
            batch.token[index] = token
            batch.pos[index] = position + index
            batch.n_seq_id[index] = 1
            batch.seq_id[index][0] = 0
            batch.logits[index] = 0
        batch.logits[len(ids) - 1] = wants_logits
        forget_errors()
        result = native.llama_decode(self._context, batch)
        if self._waits:
            native.llama_synchronize(self._context)
        if result == 0:
            self._ids += ids
            return
        self._cut(position)
        if result == ABORTED:
            raise Stopped
        if short := shortage(failure()):
            raise EngineError(
                f"out of memory while reading a prompt ({short}); lower llm.active.prefill_slice"
            )
        raise EngineError(f"llama.cpp failed to evaluate a prompt (code {result}: {why()})")


def _no_context(section: LlmSection) -> str:
    """Why the context that was just asked for is not there, and which key mends it."""
    short = shortage(failure())
    if short is None:
        return f"llama.cpp makes no context of {section.context_tokens} tokens ({why()})"
    if short.computing:
        return (
            f"no room for batches of {section.prefill_slice} tokens ({short}); "
            "lower llm.active.prefill_slice"
        )
    return (
        f"no room for a context of {section.context_tokens} tokens ({short}); "
        "lower llm.active.context_tokens"
    )


def on_gpu(section: LlmSection) -> bool:
    """Whether the model lies on a GPU: where it should and cannot, it does not load."""
    return section.gpu_layers != 0
