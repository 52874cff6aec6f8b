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


@pytest.mark.parametrize(
    ("name", "context", "batch", "allocated"),
    [
        # As llama.cpp 0.3.36 reported on a processor, in MiB: real files,
        ("smollm2-135m", 2048, 520, 47.11),
        # and shapes of two layers (scripts/shape_model), of which buffers do not depend.
        ("qwen2.5-coder-0.5b", 2048, 520, 70.34),
        ("qwen2.5-coder-0.5b", 4096, 72, 18.18),
        ("qwen2.5-coder-1.5b", 2048, 520, 69.07),
        ("qwen2.5-coder-1.5b", 4096, 520, 121.88),
        ("qwen3-4b-instruct-2507", 2048, 520, 169.62),
        ("qwen3-4b-instruct-2507", 4096, 520, 303.68),
        ("qwen2.5-7b", 1024, 520, 138.13),  # the feed-forward is the most
        ("qwen2.5-7b", 4096, 520, 273.21),
    ],
)
def test_compute_buffers_are_what_llama_cpp_allocates(
    name: str, context: int, batch: int, allocated: float
) -> None:
    shape = GEOMETRIES[name]
    found = compute_bytes(shape, context, batch, gpu=False) - shape.vocabulary * 4
    assert found / MIB == pytest.approx(allocated, rel=0.002)


def test_flash_attention_leaves_the_feed_forward_as_the_most() -> None:
    """On a processor with flash attention, 1.5B at 4,096: 69.58 MiB; a GPU's host beside it."""
    shape = GEOMETRIES["qwen2.5-coder-1.5b"]
    host = (4096 // 2 + 2 * shape.width) * 520 * 4
    found = compute_bytes(shape, 4096, 520, gpu=True) - host - shape.vocabulary * 4
    assert found / MIB == pytest.approx(69.58, rel=0.002)


def test_a_second_layout_of_weights_is_counted_on_a_processor() -> None:
    """As llama.cpp reported: 28.05 MiB of the 0.5B; 42.61 MiB for two layers of the 1.5B."""
    tiny = predict(config.load(profile="tiny"), Manifest.load(), {})["terms"]
    assert tiny["repacked"]["bytes"] / MIB == pytest.approx(28.05, rel=0.01)
    laptop = predict(config.load(profile="laptop"), Manifest.load(), {})["terms"]
    assert laptop["repacked"]["bytes"] / MIB == pytest.approx(42.61 / 2 * 28, rel=0.01)
    jetson = predict(config.load(profile="jetson"), Manifest.load(), {})["terms"]
    assert "repacked" not in jetson


def test_what_a_gpu_takes_beside_stands_in_the_prediction() -> None:
    terms = predict(config.load(profile="jetson"), Manifest.load(), {})["terms"]
    assert terms["set_aside"]["bytes"] == 4096 * 57_344, "at most the whole context, 57 KB a token"
    assert terms["cuda_pool"]["bytes"] == 12 * MIB
    assert terms["cuda_graphs"]["how"] == "assumed"
    assert "token_table" not in terms, "the 7B's lies on the host instead, not beside"
    tied = predict(config.load(profile="jetson-4b"), Manifest.load(), {})
    assert tied["terms"]["token_table"]["bytes"] == 319_065_600
    assert tied["left"] > 2_000_000_000


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
        assert shape == GEOMETRIES["smollm2-135m"]
