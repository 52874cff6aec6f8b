"""Models of nothing: as large as the real ones, tensor by tensor, and llama.cpp runs them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import gguf_file
import numpy as np
import pytest
import shape_model
from gguf_file import GgufError
from shapes import SHAPES, Shape, tensors

from companion.config import LlmSection
from companion.weights.manifest import Manifest

MINI = Shape("Mini", "qwen2", 2, 4, 2, 64, 256, 512, 152_064, 4096, 1e6, by_name=True)
MINI3 = Shape("Mini 3", "qwen3", 3, 4, 2, 128, 256, 512, 151_936, 4096, 5e6, tied=True)
"""Heads wider than the embedding over their number, as in the 4B."""


def quiet(line: str) -> None:
    pass


def data_bytes(shape: Shape) -> int:
    return sum(gguf_file.padded(each.size) for each in tensors(shape))


@pytest.mark.parametrize("name", ["qwen2.5-7b", "qwen3-4b-instruct-2507"])
def test_sizes_are_those_of_the_files_to_the_byte(name: str) -> None:
    """What is left of the real file is its head: tokens, merges and template, 5.95 MB in each."""
    whole = sum(file.size for file in Manifest.load()[name].files)
    assert 5_945_000 < whole - data_bytes(SHAPES[name]) < 5_960_000


@pytest.mark.real
def test_every_tensor_of_a_real_file_has_its_name_shape_and_type(llm_small_path: Path) -> None:
    _, real = gguf_file.read(llm_small_path)
    assert set(real) == set(tensors(SHAPES["qwen2.5-coder-0.5b"]))
    order = [each.name for each in real]
    assert order[:3] == [each.name for each in tensors(SHAPES["qwen2.5-coder-0.5b"])][:3]


def test_which_layers_get_more_bits_goes_by_their_place_in_the_file() -> None:
    spared = [
        each.name
        for each in tensors(SHAPES["qwen2.5-7b"])
        if each.name.endswith("ffn_down.weight") and each.kind == "Q6_K"
    ]
    assert len(spared) == 14
    assert spared[-1] == "blk.9.ffn_down.weight", "the last by name"


@pytest.mark.real
@pytest.mark.parametrize("shape", [MINI, MINI3])
def test_llama_cpp_runs_what_was_written(
    shape: Shape, llm_small_path: Path, tmp_path: Path
) -> None:
    from companion.engines.cancel import CancelFlag
    from companion.engines.llama.context import LlamaContext

    file = tmp_path / "mini.gguf"
    shape_model.write(shape, file, llm_small_path, seed=1, note=quiet)
    assert 5_900_000 < file.stat().st_size - data_bytes(shape) < 6_100_000
    context = LlamaContext(file, LlmSection(context_tokens=512, threads=1))
    try:
        assert context.vocabulary.size == shape.vocabulary
        ids = context.vocabulary.plain("One day a whale swam far. " * 20)
        assert context.vocabulary.template("<|im_end|>") == [151_645]
        context.prepare(ids)
        context.evaluate(ids, CancelFlag())
        logits = context.logits()
        assert np.isfinite(logits).all()
        assert 0.1 < logits.std() < 10, "numbers of a usual size: none that slow a processor"
    finally:
        context.free()


@pytest.mark.real
def test_the_same_seed_writes_the_same_file(llm_small_path: Path, tmp_path: Path) -> None:
    written = []
    for number, seed in enumerate((3, 3, 4)):
        file = tmp_path / f"{number}.gguf"
        shape_model.write(MINI, file, llm_small_path, seed=seed, note=quiet)
        written.append(file.read_bytes())
    assert written[0] == written[1] != written[2]
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.real
def test_a_full_disk_is_told_before_anything_is_written(
    llm_small_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage, seven = shutil.disk_usage(tmp_path), SHAPES["qwen2.5-7b"]
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=10**7))
    with pytest.raises(GgufError, match=r"4\.7 GB are needed and 0\.0 GB are free"):
        shape_model.write(seven, tmp_path / "7b.gguf", llm_small_path, seed=0, note=quiet)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"PK\3\4", "is not a GGUF file"), (b"GGUF\3\0\0\0", "is cut"), (None, "No such file")],
)
def test_a_tokenizer_that_cannot_be_read_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, words: str
) -> None:
    donor = tmp_path / "donor.gguf"
    if content is not None:
        donor.write_bytes(content)
    command = ["qwen2.5-coder-0.5b", str(tmp_path / "out.gguf"), "--tokenizer", str(donor)]
    assert shape_model.main(command) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("scripts/shape_model: ")
    assert words in line
    assert not (tmp_path / "out.gguf").exists()
