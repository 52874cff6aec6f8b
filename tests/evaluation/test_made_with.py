"""What a measurement was made with."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from companion import config
from companion.errors import ModelFileError
from companion.evaluation.bench.benches import BENCHES
from companion.evaluation.bench.made_with import made_with
from companion.weights.needed import has_voice


def with_file(path: Path) -> config.Config:
    loaded = config.load()
    active = loaded.llm.active.model_copy(update={"file": path})
    return loaded.model_copy(update={"llm": loaded.llm.model_copy(update={"active": active})})


@pytest.mark.real
def test_a_model_of_ones_own_is_named_by_its_hash(tmp_path: Path) -> None:
    file = tmp_path / "own.gguf"
    file.write_bytes(b"GGUF and so on")
    found = made_with(with_file(file), ("llm",), 0.5)
    assert found["models"] == {
        "llm": {
            "name": "own",
            "sha256": {"own.gguf": hashlib.sha256(b"GGUF and so on").hexdigest()},
        }
    }
    assert found["machine"]["cores"] >= 1
    assert found["machine"]["load"] == 0.5
    assert found["versions"]["llama-cpp-python"]


def test_where_another_model_consolidates_it_is_named_as_what_was_measured(tmp_path: Path) -> None:
    talks, consolidates = tmp_path / "talks.gguf", tmp_path / "consolidates.gguf"
    for file in (talks, consolidates):
        file.write_bytes(b"GGUF and so on")
    one = with_file(talks)
    inactive = one.llm.active.model_copy(update={"file": consolidates, "threads": 3})
    two = one.model_copy(update={"llm": one.llm.model_copy(update={"inactive": inactive})})
    role, embedder = BENCHES["preempt"].roles
    assert (role, embedder) == ("inactive", "embedder")
    found = made_with(two, (role,), 0.0)
    assert found["models"]["llm"]["name"] == "consolidates"
    assert found["threads"] == 3
    assert made_with(one, (role,), 0.0)["models"]["llm"]["name"] == "talks"
    assert made_with(two, ("llm",), 0.0)["models"]["llm"]["name"] == "talks"


def test_models_that_are_not_used_are_not_named() -> None:
    assert made_with(config.load(), (), 0.0)["models"] == {}


def test_a_model_of_the_manifest_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    empty = config.load().model_copy(update={"models_dir": tmp_path})
    with pytest.raises(ModelFileError, match="missing"):
        made_with(empty, ("embedder",), 0.0)


@pytest.mark.skipif(not has_voice(), reason="the libraries for sound are not installed")
def test_a_voice_that_is_not_there_is_named_without_its_hash(tmp_path: Path) -> None:
    """`bench memory` measures without it, too."""
    empty = config.load().model_copy(update={"models_dir": tmp_path})
    found = made_with(empty, ("stt", "tts"), 0.0)["models"]
    assert found["stt"] == {"name": empty.stt.model, "sha256": None}
    assert found["tts"] == {"name": empty.tts.model, "sha256": None}


@pytest.mark.real
def test_a_model_of_the_manifest_has_the_hash_that_was_verified(embedder_dir: Path) -> None:
    found = made_with(config.load(), ("embedder",), 0.0)["models"]["embedder"]
    assert found["name"] == embedder_dir.name
    assert found["sha256"]["model.onnx"].startswith("8199be6f")
