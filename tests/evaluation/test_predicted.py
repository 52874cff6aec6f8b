"""Predicted memory, on cases worked out by hand and against what llama.cpp itself reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import config
from companion.evaluation.bench import predicted
from companion.evaluation.bench.predicted import GEOMETRIES, compute_bytes, kv_bytes, predict
from companion.weights.manifest import Manifest

MIB = 2**20
SEVEN = GEOMETRIES["qwen2.5-7b"]


def test_the_cache_of_the_7b_takes_56_kib_a_token() -> None:
    assert kv_bytes(SEVEN, 4096) == 4096 * 28 * 2 * 4 * 128 * 2 == 224 * MIB


def test_a_context_is_rounded_up_as_llama_cpp_does() -> None:
    assert kv_bytes(SEVEN, 4000) == kv_bytes(SEVEN, 4096)


def test_buffers_on_a_gpu_are_what_llama_cpp_reported_for_this_model() -> None:
    """Logs of llama.cpp with CUDA: 304.00 MiB on the GPU at 512 tokens and, for another model with
    a hidden width of 2,048, 16 MiB on the host at a context of 4,096."""
    on_gpu = (SEVEN.vocabulary + SEVEN.width) * 512 * 4
    assert on_gpu == 304 * MIB
    on_host = (4096 + 2 * SEVEN.width) * 512 * 4
    assert compute_bytes(SEVEN, 4096, 512, gpu=True) == on_gpu + on_host


def test_the_jetson_profile_fits_its_board_with_voice_and_system() -> None:
    found = predict(config.load(profile="jetson"), Manifest.load(), {"everything": 600 * 10**6})
    terms = {name: term["bytes"] for name, term in found["terms"].items()}
    assert terms["weights"] == 3_993_201_344 + 689_872_288
    assert terms["kv"] == 224 * MIB
    assert terms["compute"] == compute_bytes(SEVEN, 4096, 520, gpu=True)
    assert found["total"] == sum(terms.values())
    assert found["left"] == found["room"] - found["total"] > 500 * 10**6
    assert found["fits"]


def test_what_does_not_fit_is_said() -> None:
    found = predict(config.load(profile="jetson"), Manifest.load(), {"a giant": 4 * 10**9})
    assert not found["fits"]
    assert found["left"] < 0


def test_a_processor_needs_no_cuda() -> None:
    found = predict(config.load(profile="tiny"), Manifest.load(), {})
    assert "cuda_runtime" not in found["terms"]


def test_a_model_of_ones_own_cannot_be_predicted() -> None:
    section = config.load(profile="tiny").llm.active
    assert predicted.knows(section)
    assert not predicted.knows(section.model_copy(update={"file": Path("own.gguf")}))
    assert not predicted.knows(section.model_copy(update={"model": "unheard-of"}))


@pytest.mark.real
def test_shapes_that_are_written_down_are_those_of_the_files(llm_tiny_path: Path) -> None:
    from companion.engines.llama.weights import weights_only  # needs llama.cpp

    with weights_only(llm_tiny_path, 0) as shape:
        assert predicted.Geometry(**shape) == GEOMETRIES["smollm2-135m"]
