"""What llama.cpp is asked for: the structures handed to it, without and with its real library."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llama_cpp as native
import numpy as np
import pytest

from companion.config import LlmSection
from companion.engines.cancel import CancelFlag
from companion.engines.llama.context import LlamaContext
from companion.engines.llama.library import model_parameters
from companion.evaluation.bench.buffers import allocations

SECTION = LlmSection(context_tokens=512, threads=1, prefill_slice=64)


@contextmanager
def opened(path: Path, section: LlmSection, *, exact: bool = True) -> Iterator[LlamaContext]:
    context = LlamaContext(path, section, exact=exact)
    try:
        yield context
    finally:
        context.free()


def test_no_layers_on_a_gpu_leave_it_no_device() -> None:
    parameters = model_parameters(0)
    first = ctypes.cast(parameters.devices, ctypes.POINTER(ctypes.c_void_p))[0]
    assert first is None, "the list of devices ends at once"
    assert parameters.split_mode == native.LLAMA_SPLIT_MODE_NONE
    assert parameters.main_gpu == -1
    assert parameters.n_gpu_layers == 0


@pytest.mark.parametrize("layers", [-1, 20])
def test_layers_on_a_gpu_leave_llama_cpp_its_devices(layers: int) -> None:
    parameters, usual = model_parameters(layers), native.llama_model_default_params()
    assert parameters.n_gpu_layers == layers
    assert parameters.devices == usual.devices
    assert parameters.split_mode == usual.split_mode
    assert parameters.main_gpu == usual.main_gpu


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The parameters of each context that is made from now on."""
    seen: list[Any] = []
    make = native.llama_init_from_model

    def noted(model: Any, parameters: Any) -> Any:
        seen.append(parameters)
        return make(model, parameters)

    monkeypatch.setattr(native, "llama_init_from_model", noted)
    return seen


@pytest.mark.real
def test_a_context_without_a_gpu_sends_no_batch_there(
    asked: list[Any], llm_tiny_path: Path
) -> None:
    with opened(llm_tiny_path, SECTION) as context:
        (parameters,) = asked
        assert not parameters.op_offload
        assert not parameters.offload_kqv
        ids = context.vocabulary.plain("A whale swims far. " * 30)
        context.prepare(ids)
        context.evaluate(ids, CancelFlag())
        assert np.isfinite(context.logits()).all()


@pytest.mark.real
@pytest.mark.parametrize("exact", [True, False])
def test_room_for_the_last_tokens_logits_alone_gives_the_same_ones(
    llm_tiny_path: Path, monkeypatch: pytest.MonkeyPatch, exact: bool
) -> None:
    section = SECTION.model_copy(update={"prefill_slice": 256})

    def measured() -> tuple[list[Any], int]:
        """Logits of a prompt of two slices and of tokens after it; bytes of compute buffers."""
        with allocations() as buffers, opened(llm_tiny_path, section, exact=exact) as context:
            size = sum(each.size for each in buffers if each.kind == "compute")
            ids = context.vocabulary.plain("One day a whale swam far. " * 60)[:403]
            context.prepare(ids)
            context.evaluate(ids, CancelFlag())
            found = [context.logits().copy()]
            for token in ids[:8]:
                context.extend(token, CancelFlag())
                found.append(context.logits().copy())
            return found, size

    narrow, less = measured()
    make = native.llama_init_from_model

    def for_every_token(model: Any, parameters: Any) -> Any:
        assert parameters.n_outputs_max == 1
        parameters.n_outputs_max = 0  # llama.cpp's default: one for each token of a batch
        return make(model, parameters)

    monkeypatch.setattr(native, "llama_init_from_model", for_every_token)
    wide, more = measured()
    np.testing.assert_array_equal(narrow, wide)
    assert less < more * 0.8
