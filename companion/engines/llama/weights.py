"""A GGUF's weights without a context: their shape, and what they alone take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import llama_cpp as native

from companion.engines.llama.geometry import Geometry
from companion.engines.llama.library import load_model
from companion.engines.llama.vocabulary import Vocabulary


@contextmanager
def weights_only(path: Path, gpu_layers: int, *, mmap: bool = True) -> Iterator[Geometry]:
    """Loaded on this thread, and freed when the block is left. Raises ModelFileError."""
    model = load_model(path, gpu_layers, mmap=mmap)
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
