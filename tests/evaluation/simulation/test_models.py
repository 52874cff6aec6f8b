"""Which model a word on the command line means."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import LlmSection
from companion.errors import UsageError
from companion.evaluation.simulation.models import section_of


def test_a_model_is_meant_by_a_name_a_file_a_server_or_local() -> None:
    active = LlmSection(model="qwen2.5-coder-0.5b", context_tokens=3072)
    assert section_of("local", active).model == "qwen2.5-coder-0.5b"
    assert section_of("local", active).context_tokens == 8192
    assert section_of("smollm2-135m", active, context=2048).context_tokens == 2048
    assert section_of("my/model.gguf", active).file == Path("my/model.gguf")
    server = section_of("http://10.0.0.9:8080/v1#big", active, key_file=Path("key"))
    assert (server.backend, server.url, server.model) == (
        "openai", "http://10.0.0.9:8080/v1", "big",
    )  # fmt: skip
    assert server.allow_public
    for wrong, lacks in (("http://", "host"), ("http://10.0.0.9:8080/v1", "model")):
        with pytest.raises(UsageError, match=f"names no {lacks}"):
            section_of(wrong, active)
