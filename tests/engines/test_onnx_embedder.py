"""Folders that the default embedder is given: complete, broken, exported."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.engines.embedding.onnx import OnnxEmbedder, name_of
from companion.engines.embedding.reference import SentenceTransformerEmbedder, export_onnx
from companion.errors import EngineError, ModelFileError
from tests.engines.test_embedder_contract import TEXTS, _require_extra


@pytest.fixture
def folder(tmp_path: Path, embedder_dir: Path) -> Path:
    """A copy of the default embedder that a test may break."""
    return Path(shutil.copytree(embedder_dir, tmp_path / "embedder"))


def _write(name: str, content: bytes) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)

    return change


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda folder: (folder / "model.onnx").unlink(), "model.onnx: no such file"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "tokenizer.json: no such file"),
        (_write("model.onnx", b"\x00" * 100), "model.onnx: is not a usable ONNX model"),
        (_write("tokenizer.json", b"{}"), "tokenizer.json: is not a tokenizer"),
        (_write("1_Pooling/config.json", b"{"), "config.json: is not valid JSON"),
        (_write("1_Pooling/config.json", b'{"pooling_mode": "max"}'), "only mean and cls"),
    ],
)
async def test_a_broken_folder_is_refused_with_the_file(
    folder: Path, change: Callable[[Path], None], complaint: str
) -> None:
    change(folder)
    with pytest.raises(ModelFileError, match=complaint) as caught:
        await OnnxEmbedder.load(folder, name="broken", threads=1)
    assert "\n" not in str(caught.value)


def test_another_model_in_a_folder_of_the_same_name_has_another_name(folder: Path) -> None:
    """Vectors of two models used to be compared with each other, as both were called `embedder`."""
    name = name_of(folder)
    assert name.startswith("embedder ")
    assert name_of(Path(shutil.copytree(folder, folder / "elsewhere" / "embedder"))) == name
    model = bytearray((folder / "model.onnx").read_bytes())
    model[-9] ^= 1
    (folder / "model.onnx").write_bytes(model)
    assert name_of(folder) != name
    (folder / "model.onnx").unlink()
    assert name_of(folder) == "embedder"


async def test_the_folder_says_how_token_vectors_become_one(folder: Path) -> None:
    async def embed() -> NDArray[np.float32]:
        embedder = await OnnxEmbedder.load(folder, name="copy", threads=1)
        try:
            return await embedder.embed(TEXTS)
        finally:
            await embedder.close()

    default = await embed()
    pooling = folder / "1_Pooling" / "config.json"
    pooling.parent.mkdir()
    pooling.write_text(json.dumps({"pooling_mode_mean_tokens": True}))
    np.testing.assert_array_equal(await embed(), default)
    pooling.write_text(json.dumps({"pooling_mode": "cls"}))
    assert (await embed() * default).sum(axis=1).max() < 0.99


async def test_an_exported_model_says_what_its_source_says(
    tmp_path: Path, reference_embedder_dir: Path
) -> None:
    _require_extra()
    target = tmp_path / "exported"
    target.mkdir()
    (target / "old").write_text("replaced whole")
    export_onnx(str(reference_embedder_dir), target)
    assert sorted(os.listdir(target)) == ["1_Pooling", "model.onnx", "tokenizer.json"]
    assert os.listdir(tmp_path) == ["exported"]
    source = await SentenceTransformerEmbedder.load(str(reference_embedder_dir), threads=1)
    twin = await OnnxEmbedder.load(target, name="exported", threads=1)
    try:
        long = ["whale " * 1000]
        mine, theirs = await twin.embed(TEXTS + long), await source.embed(TEXTS + long)
    finally:
        await source.close()
        await twin.close()
    assert (mine * theirs).sum(axis=1).min() > 0.999


@pytest.mark.real
async def test_a_missing_reference_model_is_named(tmp_path: Path) -> None:
    _require_extra()
    with pytest.raises(ModelFileError, match="is not a sentence-transformers model"):
        await SentenceTransformerEmbedder.load(str(tmp_path / "nothing"), threads=1)
    with pytest.raises((ModelFileError, EngineError)):
        export_onnx(str(tmp_path / "nothing"), tmp_path / "out")
    assert not (tmp_path / "out").exists()
