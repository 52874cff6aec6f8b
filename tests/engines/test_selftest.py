"""The self-test takes the engine's own paths, and holds a GPU's words against the processor's."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.config import LlmSection
from companion.engines.llama import library, selftest
from companion.engines.llama.context import LlamaContext
from companion.engines.llama.selftest import compare, examine, write
from companion.errors import EngineError

pytestmark = pytest.mark.real

SECTION = LlmSection(context_tokens=512, prefill_slice=128, threads=1)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[LlmSection, bool]]:
    """The sections of the engine's contexts that are opened from now on, and whether exact."""
    seen: list[tuple[LlmSection, bool]] = []

    class Noted(LlamaContext):
        def __init__(self, path: Path, section: LlmSection, *, exact: bool = True) -> None:
            seen.append((section, exact))
            super().__init__(path, section, exact=exact)

    monkeypatch.setattr(selftest, "LlamaContext", Noted)
    return seen


def test_it_runs_through_the_engines_context_with_the_profiles_parameters(
    opened: list[tuple[LlmSection, bool]], llm_tiny_path: Path
) -> None:
    report = examine(llm_tiny_path, SECTION)
    assert opened == [(SECTION, True)]
    assert report.prompt_tokens_per_s > 0
    assert "CPU" in report.features


def test_what_a_gpu_writes_is_judged_by_the_processor(
    opened: list[tuple[LlmSection, bool]], llm_tiny_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A processor stands for the GPU here: another code path, flash attention, same words."""
    monkeypatch.setattr(library, "check_gpu", lambda layers: None)
    layers = SECTION.model_copy(update={"gpu_layers": -1})
    examine(llm_tiny_path, layers)
    assert opened == [(layers, False), (SECTION, True)]


def test_a_gpu_that_computes_something_else_is_found_out(llm_tiny_path: Path) -> None:
    context = LlamaContext(llm_tiny_path, SECTION)
    ids = context.vocabulary.plain("Once upon a time there was a whale.")
    written = write(context, ids)
    context.free()
    compare(llm_tiny_path, SECTION, ids, written)
    wrong = [*written[:3], 7, *written[4:]]
    with pytest.raises(EngineError, match=r"processor \(token 4 of the answer\): build"):
        compare(llm_tiny_path, SECTION, ids, wrong)


def test_output_that_is_no_number_is_named(
    llm_tiny_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nonsense(context: LlamaContext) -> NDArray[np.float32]:
        return np.full(context.vocabulary.size, np.nan, np.float32)

    monkeypatch.setattr(LlamaContext, "logits", nonsense)
    with pytest.raises(EngineError, match="is not a number: scripts/setup --rebuild"):
        examine(llm_tiny_path, SECTION)


def test_a_failure_is_one_line_and_not_a_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["selftest", str(tmp_path / "none.gguf")])
    with pytest.raises(SystemExit, match=r"none\.gguf: no such file"):
        selftest.main()
