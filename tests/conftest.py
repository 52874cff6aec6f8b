"""Fixtures that every room shares: the real model files, found through the manifest."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import config
from companion.errors import ModelFileError
from companion.weights.manifest import Manifest
from companion.weights.verify import check

LONGEST = (
    "engines/test_llama.py",
    "dialog/test_real_models.py",
    "consolidation/test_real.py",
    "evaluation/test_qa.py",
    "daemon/test_spoken_run.py",
    "evaluation/test_benches.py",
    "dialog/test_prefix.py",
    "consolidation/test_cuts.py",
)
"""Files of a minute and more: begun first, so that workers who end with short ones end together."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    items.sort(key=lambda item: item.path.relative_to(here).as_posix() not in LONGEST)


def _model(name: str) -> Path:
    """Where an engine finds a model; a model that is not there is a failure, never a skip."""
    models_dir = config.load().models_dir
    manifest = Manifest.load()
    try:
        check(manifest[name], models_dir)
    except ModelFileError as error:
        pytest.fail(f"{error}\nscripts/test fetches every model that the tests need.")
    return manifest.path(name, models_dir)


@pytest.fixture(scope="session")
def llm_tiny_path() -> Path:
    """SmolLM2 135M, a GGUF: fluent nonsense, fast. For plumbing."""
    return _model("smollm2-135m")


@pytest.fixture(scope="session")
def llm_small_path() -> Path:
    """Qwen2.5-Coder 0.5B, a GGUF: valid English. For tests that need some sense."""
    return _model("qwen2.5-coder-0.5b")


@pytest.fixture(scope="session")
def llm_laptop_path() -> Path:
    """Qwen2.5-Coder 1.5B, a GGUF: the default of the laptop profile."""
    return _model("qwen2.5-coder-1.5b")


@pytest.fixture(scope="session")
def embedder_dir() -> Path:
    """The default embedder: a folder with model.onnx and tokenizer.json."""
    return _model("minilm-int8")


@pytest.fixture(scope="session")
def reference_embedder_dir() -> Path:
    """all-MiniLM-L6-v2 as sentence-transformers loads it: the contract test's reference."""
    return _model("all-minilm-l6-v2")


@pytest.fixture(scope="session")
def whisper_dir() -> Path:
    """Whisper tiny.en for CTranslate2: a folder."""
    return _model("whisper-tiny.en")


@pytest.fixture(scope="session")
def wake_model() -> Path:
    """openWakeWord's "hey Jarvis", a file; the networks that it needs lie beside it."""
    return _model("openwakeword-hey-jarvis") / "hey_jarvis_v0.1.onnx"


@pytest.fixture(scope="session")
def piper_dir() -> Path:
    """The default voice: a folder with one .onnx and its .onnx.json."""
    return _model("piper-en-us-joe")
