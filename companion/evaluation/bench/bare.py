"""The dialog's model with a record of what it evaluates, and bare llama.cpp to replay it.

`load_pair` loads a model once and makes two contexts over its weights on one thread: one as the
dialog uses it, and one bare. Threads, attention and samplers are those of the dialog.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from companion.config import LlmSection
from companion.engines.cancel import CancelFlag
from companion.engines.llama.bare import BareLlama
from companion.engines.llama.context import LlamaContext, on_gpu
from companion.engines.llama.model import LlamaCpp
from companion.engines.protocols import Options
from companion.engines.worker import Worker


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


def replay(bare: BareLlama, call: Call, options: Options) -> Replay:
    """Do again what was recorded. Raises EngineError."""
    with bare.sampler(options) as choose:
        wall, cpu = time.perf_counter(), time.process_time()
        evaluated = bare.read(call.prompt)
        chosen = [choose()]
        first, first_cpu = time.perf_counter(), time.process_time()
        for token in call.written:
            bare.decode([token])
            chosen.append(choose())
        end, end_cpu = time.perf_counter(), time.process_time()
    return Replay(
        evaluated_tokens=evaluated,
        first_s=first - wall,
        first_cpu_s=first_cpu - cpu,
        rest_s=end - first,
        rest_cpu_s=end_cpu - first_cpu,
        chosen=tuple(chosen),
    )


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
        return await self._worker.run(replay, self._bare, call, options)

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
