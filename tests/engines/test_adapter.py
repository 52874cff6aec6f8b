"""An adapter over a model's weights."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from companion.config import LlmSection
from companion.config.document import shipped
from companion.engines.llama.model import LlamaCpp
from companion.engines.protocols import ChatMessage, Options, complete, is_tuned
from companion.errors import ModelFileError
from companion.weights.located import adapter_file
from companion.weights.manifest import Manifest

SECTION = LlmSection(context_tokens=512)
SHIPPED = [(each.name, each.adapter) for each in Manifest.load() if each.adapter]
ASKED = (
    ChatMessage("system", "You are Pip, a soft toy that talks with a child in short sentences."),
    ChatMessage("user", "my goat ate my sandal"),
)


@pytest.fixture
async def tuned(llm_laptop_path: Path) -> AsyncIterator[LlamaCpp]:
    section = LlmSection(model="qwen2.5-coder-1.5b", adapter="auto")
    adapter = adapter_file(section, llm_laptop_path.parent.parent)
    assert adapter is not None
    model = await LlamaCpp.load(llm_laptop_path, SECTION, name="laptop", adapter=adapter)
    yield model
    await model.close()


def test_every_adapter_of_the_manifest_is_here() -> None:
    assert SHIPPED
    for _, adapter in SHIPPED:
        assert shipped(f"models/{adapter}").read_bytes()[:4] == b"GGUF"


async def test_an_adapter_changes_what_is_said_and_is_told(
    tuned: LlamaCpp, llm_laptop_path: Path
) -> None:
    answer, _ = await complete(tuned, ASKED, Options(max_tokens=40, trained=True))
    without, _ = await complete(tuned, ASKED, Options(max_tokens=40))
    again, _ = await complete(tuned, ASKED, Options(max_tokens=40, trained=True))
    bare = await LlamaCpp.load(llm_laptop_path, SECTION, name="laptop")
    try:
        other, _ = await complete(bare, ASKED, Options(max_tokens=40, trained=True))
        assert (is_tuned(tuned), is_tuned(bare)) == (True, False)
    finally:
        await bare.close()
    assert answer == again != without == other


async def test_its_state_is_set_aside_and_comes_back(tuned: LlamaCpp) -> None:
    first, _ = await complete(tuned, ASKED, Options(max_tokens=24, trained=True))
    await tuned.warm(ASKED, trained=True)
    kept = await tuned.snapshot()
    assert kept is not None
    await complete(tuned, (ChatMessage("user", "something else"),), Options(max_tokens=4))
    assert await tuned.restore(kept)
    again, usage = await complete(tuned, ASKED, Options(max_tokens=24, trained=True))
    assert again == first
    assert usage.cached_tokens > 0


async def test_without_one_a_model_is_not_tuned(llm_tiny_path: Path) -> None:
    model = await LlamaCpp.load(llm_tiny_path, SECTION, name="tiny")
    try:
        assert not is_tuned(model)
    finally:
        await model.close()


async def test_an_adapter_of_another_model_is_refused_in_one_line(llm_tiny_path: Path) -> None:
    other = shipped(f"models/{SHIPPED[0][1]}")
    with pytest.raises(ModelFileError, match="no adapter for these weights") as caught:
        await LlamaCpp.load(llm_tiny_path, SECTION, name="tiny", adapter=other)
    assert str(other) in str(caught.value)
    assert "llm.active.adapter" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"GGUF", b"version https://git-lfs"])
async def test_a_broken_adapter_is_refused_in_one_line(
    tmp_path: Path, llm_tiny_path: Path, content: bytes
) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"llm\.active\.adapter") as caught:
        await LlamaCpp.load(llm_tiny_path, SECTION, name="tiny", adapter=broken)
    assert "\n" not in str(caught.value)


def test_which_adapter_is_taken(tmp_path: Path) -> None:
    own = tmp_path / "own.gguf"
    own.write_bytes(b"GGUF")
    of_stand_in = LlmSection(model="qwen2.5-coder-1.5b", adapter="auto")
    changed = of_stand_in.model_copy
    assert adapter_file(of_stand_in, tmp_path) is not None
    assert adapter_file(changed(update={"adapter": "none"}), tmp_path) is None
    assert adapter_file(changed(update={"adapter": str(own)}), tmp_path) == own
    assert adapter_file(changed(update={"file": own}), tmp_path) is None
    assert adapter_file(changed(update={"backend": "openai"}), tmp_path) is None
    assert adapter_file(LlmSection(model="smollm2-135m", adapter="auto"), tmp_path) is None


def test_an_adapter_that_is_not_there_is_named(tmp_path: Path) -> None:
    section = LlmSection(adapter=str(tmp_path / "gone.gguf"))
    with pytest.raises(ModelFileError, match=r"gone\.gguf: llm\.active\.adapter names no file"):
        adapter_file(section, tmp_path)
