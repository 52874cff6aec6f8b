"""What is recorded of a dialog's model, and replayed without the runtime, on real weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import llama_cpp as native
import pytest

from companion.config import LlmSection
from companion.engines.protocols import ChatMessage, Options, complete
from companion.evaluation.bench.bare import load_pair
from companion.evaluation.bench.buffers import allocations

pytestmark = pytest.mark.real

SAID = [ChatMessage("user", "The fox sleeps under the old oak tree. Where does the fox sleep?")]


async def test_weights_are_loaded_once(
    llm_tiny_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice would be 9 GB of a 7B, on a board of 8."""
    loaded: list[bytes] = []
    load = native.llama_model_load_from_file

    def noted(path: bytes, parameters: Any) -> Any:
        loaded.append(path)
        return load(path, parameters)

    monkeypatch.setattr(native, "llama_model_load_from_file", noted)
    section = LlmSection(context_tokens=512)
    with allocations() as buffers:
        async with load_pair(llm_tiny_path, section, name="tiny"):
            assert loaded == [bytes(llm_tiny_path)]
            caches = [each.size for each in buffers if each.kind == "KV"]
            assert len(caches) == 2, "two contexts, each with a cache of its own"
            assert len(set(caches)) == 1


async def test_the_same_ids_are_replayed_and_only_what_is_new_is_read(llm_tiny_path: Path) -> None:
    options = Options(max_tokens=8)
    async with load_pair(llm_tiny_path, LlmSection(context_tokens=512), name="tiny") as pair:
        text, usage = await complete(pair.model, SAID, options)
        (call,) = pair.recorded()
        assert len(call.prompt) == usage.prompt_tokens
        assert len(call.written) == usage.generated_tokens - 1, (
            "the last one is evaluated by nobody"
        )

        first = await pair.replay(call, options)
        assert first.evaluated_tokens == usage.prompt_tokens
        assert len(first.chosen) == usage.generated_tokens
        assert first.chosen[0] == call.written[0], "greedy, and the same prompt"
        assert first.first_s > 0 < first.rest_s

        history = [*SAID, ChatMessage("assistant", text)]
        await pair.model.warm(history)
        (warmed,) = pair.recorded()
        assert not warmed.written
        assert await pair.warm(warmed) < 20, "the answer lies in the bare cache as it was written"

        again = [*history, ChatMessage("user", "And the owl?")]
        _, ours = await complete(pair.model, again, options)
        (call,) = pair.recorded()
        bare = await pair.replay(call, options)
        assert bare.evaluated_tokens <= ours.evaluated_tokens <= bare.evaluated_tokens + 15
