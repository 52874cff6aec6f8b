"""A GGUF's weights without a context: their shape, and what they alone take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import llama_cpp as native

from companion.engines.llama_library import load_model
from companion.engines.vocabulary import Vocabulary


@dataclass(frozen=True)
class Geometry:
    """What decides how much memory a language model takes beside its weights."""

    layers: int
    heads: int
    heads_kv: int
    width: int
    """Of the embedding: `heads` times the width of a head."""

    vocabulary: int


@contextmanager
def weights_only(path: Path, gpu_layers: int) -> Iterator[Geometry]:
    """Loaded on this thread, and freed when the block is left. Raises ModelFileError."""
    model = load_model(path, gpu_layers)
    try:
        yield Geometry(
            layers=native.llama_model_n_layer(model),
            heads=native.llama_model_n_head(model),
            heads_kv=native.llama_model_n_head_kv(model),
            width=native.llama_model_n_embd(model),
            vocabulary=Vocabulary(model).size,
        )
    finally:
        native.llama_model_free(model)
