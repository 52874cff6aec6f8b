"""Fixtures that every room shares: the real model files, found through the manifest."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from companion import config
from companion.engines.protocols import Embedder
from companion.errors import ModelFileError
from companion.weights.manifest import Manifest
from companion.weights.verify import check

LONGEST = (
    "scripts/test_prove_board.py",
    "engines/test_llama.py",
    "dialog/test_real_models.py",
    "consolidation/test_real.py",
    "evaluation/test_qa.py",
    "daemon/test_spoken_run.py",
    "evaluation/test_benches.py",
    "dialog/test_prefix.py",
    "campaigns/test_campaigns.py",
    "consolidation/test_cuts.py",
)
"""Files of a minute and more: begun first, so that workers who end with short ones end together."""


_ALL_REAL = re.compile(r"^pytestmark = .*\bpytest\.mark\.real\b", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Without real tests, a file that has no others is not even imported: the llama.cpp that it
    imports need not be installed."""
    if "not real" not in config.option.markexpr or collection_path.suffix != ".py":
        return None
    return True if _ALL_REAL.search(collection_path.read_text(encoding="utf-8")) else None


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if "weights" in getattr(item, "fixturenames", ()):
            item.add_marker("real")
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
def weights() -> Callable[[str], Path]:
    """Finds a model by its name. Whatever asks for it, however indirectly, is marked `real`."""
    return _model


@pytest.fixture(scope="session")
def llm_tiny_path(weights: Callable[[str], Path]) -> Path:
    """SmolLM2 135M, a GGUF: fluent nonsense, fast. For plumbing."""
    return weights("smollm2-135m")


@pytest.fixture(scope="session")
def llm_small_path(weights: Callable[[str], Path]) -> Path:
    """Qwen2.5-Coder 0.5B, a GGUF: valid English. For tests that need some sense."""
    return weights("qwen2.5-coder-0.5b")


@pytest.fixture(scope="session")
def llm_laptop_path(weights: Callable[[str], Path]) -> Path:
    """Qwen2.5-Coder 1.5B, a GGUF: the default of the laptop profile."""
    return weights("qwen2.5-coder-1.5b")


@pytest.fixture(scope="session")
def embedder_dir(weights: Callable[[str], Path]) -> Path:
    """The default embedder: a folder with model.onnx and tokenizer.json."""
    return weights("minilm-int8")


@pytest.fixture
async def embedder(embedder_dir: Path) -> AsyncIterator[Embedder]:
    """The default embedder, which the classifiers were trained with."""
    from companion.engines.embedding.onnx import OnnxEmbedder  # slow to import

    found = await OnnxEmbedder.load(embedder_dir, name="minilm-int8", threads=1)
    yield found
    await found.close()


@pytest.fixture(scope="session")
def reference_embedder_dir(weights: Callable[[str], Path]) -> Path:
    """all-MiniLM-L6-v2 as sentence-transformers loads it: the contract test's reference."""
    return weights("all-minilm-l6-v2")


@pytest.fixture(scope="session")
def whisper_dir(weights: Callable[[str], Path]) -> Path:
    """Whisper tiny.en for CTranslate2: a folder."""
    return weights("whisper-tiny.en")


@pytest.fixture(scope="session")
def wake_model(weights: Callable[[str], Path]) -> Path:
    """openWakeWord's "hey Jarvis", a file; the networks that it needs lie beside it."""
    return weights("openwakeword-hey-jarvis") / "hey_jarvis_v0.1.onnx"


@pytest.fixture(scope="session")
def piper_dir(weights: Callable[[str], Path]) -> Path:
    """The default voice: a folder with one .onnx and its .onnx.json."""
    return weights("piper-en-us-joe")
