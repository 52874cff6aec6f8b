"""Giving way on a device that works on after llama.cpp has returned.

No GPU was at hand: `Device` stands for the few calls of llama.cpp that a context makes. As CUDA
does, it returns from `llama_decode` at once, and `llama_synchronize` waits for what is queued.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.config import LlmSection
from companion.engines.cancel import CancelFlag
from companion.engines.llama import context as context_module
from companion.engines.llama.context import LlamaContext, Stopped
from companion.engines.llama.slices import LEAST, LIMIT_S, Slices
from companion.engines.worker import Worker

ON_GPU = LlmSection(gpu_layers=-1, context_tokens=4096, prefill_slice=512, threads=1)
IDS = list(range(1000))


class Device:
    """The calls of llama.cpp, with a queue; times pass on a clock of its own, or really."""

    def __init__(self, seconds: Callable[[int], float], *, really: bool = False) -> None:
        """seconds: how long a batch of so many tokens takes."""
        self.calls: list[str] = []
        self.now = 0.0
        self.during: Callable[[], None] = lambda: None
        """Called while the device works."""

        self._seconds = seconds
        self._queued: list[int] = []
        self._really = really

    def perf_counter(self) -> float:
        return time.perf_counter() if self._really else self.now

    def llama_decode(self, context: Any, batch: Any) -> int:
        self.calls.append(f"decode {batch.n_tokens}")
        self._queued.append(batch.n_tokens)
        return 0

    def llama_synchronize(self, context: Any) -> None:
        self.calls.append("synchronize")
        for tokens in self._queued:
            if self._really:
                time.sleep(self._seconds(tokens))
            self.now += self._seconds(tokens)
            self.during()
        self._queued.clear()

    def llama_memory_seq_rm(self, memory: Any, sequence: int, start: int, end: int) -> bool:
        return True

    def llama_batch_init(self, size: int, embedding: int, sequences: int) -> Any:
        self.room = size
        return SimpleNamespace(
            token=[0] * size,
            pos=[0] * size,
            n_seq_id=[0] * size,
            seq_id=[[0] for _ in range(size)],
            logits=[0] * size,
            n_tokens=0,
        )

    def llama_n_ctx(self, context: Any) -> int:
        return 4096

    def llama_model_n_ctx_train(self, model: Any) -> int:
        return 32768

    def llama_context_default_params(self) -> Any:
        return SimpleNamespace(n_outputs_max=0)

    LLAMA_FLASH_ATTN_TYPE_AUTO = -1

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("llama_"):
            raise AttributeError(name)
        return lambda *arguments: 1


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Callable[[Device], LlamaContext]:
    """A context of the engine over such a device."""

    def make(device: Device) -> LlamaContext:
        monkeypatch.setattr(context_module, "native", device)
        monkeypatch.setattr(context_module, "load_model", lambda path, layers, mmap: 1)
        monkeypatch.setattr(context_module, "Vocabulary", lambda model: None)
        monkeypatch.setattr(
            context_module, "time", SimpleNamespace(perf_counter=device.perf_counter)
        )
        return LlamaContext(Path("none.gguf"), ON_GPU, exact=False)

    return make


Opened = Callable[[Device], LlamaContext]


def test_each_slice_is_waited_for_before_the_next_one(opened: Opened) -> None:
    device = Device(lambda tokens: 0.07)
    context = opened(device)
    context.evaluate(IDS[:100], CancelFlag())
    assert device.calls == ["decode 32", "synchronize"] * 2 + ["decode 36", "synchronize"]


def test_nothing_is_decoded_after_somebody_has_spoken(opened: Opened) -> None:
    """Without the waiting, the slice after that would be queued already."""
    flag = CancelFlag()
    device = Device(lambda tokens: 0.07)
    context = opened(device)
    times = iter(range(9))
    device.during = lambda: flag.set() if next(times) == 2 else None
    with pytest.raises(Stopped):
        context.evaluate(IDS, flag)
    assert device.calls == ["decode 32", "synchronize"] * 3
    assert context.length == 96, "what was evaluated stays"


def test_generated_tokens_are_waited_for(opened: Opened) -> None:
    device = Device(lambda tokens: 0.05)
    context = opened(device)
    context.evaluate(IDS[:8], CancelFlag())
    context.extend(7, CancelFlag())
    assert device.calls[-2:] == ["decode 1", "synchronize"]


async def test_what_is_read_ahead_and_not_wanted_ends_with_its_slice(opened: Opened) -> None:
    """`Dialog.expect` of words that were withdrawn: 460 tokens, about as long as a head."""
    device = Device(lambda tokens: 0.02, really=True)
    context = opened(device)
    context.slices.length = 64
    worker = Worker("llm fake")
    flag = CancelFlag()
    work = asyncio.create_task(worker.run(context.evaluate, IDS[:460], flag, cancel=flag))
    await asyncio.sleep(0.03)
    started = len(device.calls)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert len(device.calls) <= started + 1, "the slice under way, and no further one"
    assert context.length < 460
    await worker.close()


async def test_reading_ahead_returns_when_the_device_is_done(opened: Opened) -> None:
    device = Device(lambda tokens: 0.03, really=True)
    context = opened(device)
    began = time.perf_counter()
    context.evaluate(IDS[:32], CancelFlag())
    assert time.perf_counter() - began >= 0.03


def affine(fixed: float, per_token: float) -> Callable[[int], float]:
    return lambda tokens: fixed + per_token * tokens


@pytest.mark.parametrize(
    ("seconds", "length"),
    [
        (affine(0.02, 0.0008), 56),  # reads all weights in 20 ms, then 1,250 tokens/s
        (affine(0.01, 0.0001), 512),  # quick: as long as the configuration allows
        (affine(0.2, 0.002), LEAST),  # 7 W: too slow for any, so not slower than need be
    ],
)
def test_a_slice_is_as_long_as_the_machine_manages(
    opened: Opened, seconds: Callable[[int], float], length: int
) -> None:
    device = Device(seconds)
    context = opened(device)
    context.evaluate(IDS * 3, CancelFlag())
    assert context.slices.length == length
    assert context.slices.wait_s == pytest.approx(seconds(length), rel=0.15)
    assert device.room == 512 + 8


def test_a_slower_machine_has_shorter_slices_and_recovers() -> None:
    slices = Slices(512, 8, paced=True)

    def run(seconds: Callable[[int], float], times: int = 20) -> int:
        for _ in range(times):
            slices.took(slices.length, seconds(slices.length))
        return slices.length

    quick = run(affine(0.01, 0.0002))
    assert affine(0.01, 0.0002)(quick) <= LIMIT_S
    hot = run(affine(0.02, 0.0008))
    assert hot < quick
    assert affine(0.02, 0.0008)(hot) <= LIMIT_S
    assert run(affine(0.01, 0.0002)) == pytest.approx(quick, rel=0.3)


def test_steps_in_a_kernels_time_do_not_make_slices_swing() -> None:
    slices = Slices(512, 8, paced=True)
    tile = affine(0.04, 0.0004)
    lengths = []
    for _ in range(40):
        slices.took(slices.length, tile(-(-slices.length // 64) * 64))
        lengths.append(slices.length)
    assert len(set(lengths[10:])) == 1


def test_a_short_rest_of_a_prompt_says_nothing_of_the_length() -> None:
    slices = Slices(512, 8, paced=True)
    slices.took(4, 0.001)
    assert slices.length == LEAST
    assert slices.wait_s is None


def test_a_processor_keeps_to_the_configured_length() -> None:
    slices = Slices(64, 8, paced=False)
    slices.took(64, 1.1)
    assert (slices.length, slices.wait_s) == (64, None)
