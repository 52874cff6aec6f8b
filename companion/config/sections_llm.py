"""The sections `llm.active` and `llm.inactive` of the configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from companion.config.sections import Section


class LlmSection(Section):
    """One language model."""

    backend: Literal["llama-cpp", "openai"] = "llama-cpp"
    model: str = "qwen2.5-1.5b"
    """Name in models/manifest.yaml, or (backend openai) the server's name of its model."""

    file: Path | None = None
    """A GGUF of your own; wins over `model`."""

    adapter: str = "auto"
    """A low-rank adapter, on for the prompts of recall at a touch and of questions to memory alone:
    auto (the manifest's for this model), none, or a GGUF of your own for these weights."""

    context_tokens: int = Field(4096, ge=512, le=131_072)
    threads: int = Field(0, ge=0, le=256)
    """0: all cores the process may use."""

    gpu_layers: int = Field(0, ge=-1)
    """-1: all."""

    mmap: bool = True
    """Map the file into memory; false: read it."""

    prefill_slice: int = Field(64, ge=8, le=4096)
    """Prompt tokens evaluated between two looks at the cancel flag."""

    url: str | None = None
    """Base address of an OpenAI-compatible server, e.g. http://127.0.0.1:8080/v1."""

    api_key_file: Path | None = None

    allow_public: bool = False
    """Let the server be outside the private network: what was said then leaves it."""

    @model_validator(mode="after")
    def _server_has_address(self) -> LlmSection:
        if self.backend == "openai" and not self.url:
            raise ValueError("backend openai needs url, e.g. http://127.0.0.1:8080/v1")
        return self


class LlmPair(Section):
    """The model that talks, and the one that consolidates."""

    active: LlmSection = LlmSection()
    inactive: LlmSection | None = None
    """Null: the active one does both."""
