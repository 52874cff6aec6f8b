"""A GGUF's weights without a context: their shape, and what they alone take."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llama_cpp as native

from companion.engines.llama.geometry import Geometry
from companion.engines.llama.library import load_model
from companion.engines.llama.vocabulary import Vocabulary


@contextmanager
def weights_only(path: Path, gpu_layers: int, *, mmap: bool = True) -> Iterator[Geometry]:
    """Loaded on this thread, and freed when the block is left. Raises ModelFileError."""
    model = load_model(path, gpu_layers, mmap=mmap)
    try:
        heads, width = native.llama_model_n_head(model), native.llama_model_n_embd(model)
        yield Geometry(
            layers=native.llama_model_n_layer(model),
            heads=heads,
            heads_kv=native.llama_model_n_head_kv(model),
            head=_number(model, "attention.key_length", width // heads),
            width=width,
            feed_forward=_number(model, "feed_forward_length", 0),
            vocabulary=Vocabulary(model).size,
        )
    finally:
        native.llama_model_free(model)


def _number(model: Any, key: str, default: int) -> int:
    """A number of the file's metadata that llama.h has no function for."""
    architecture = _text(model, "general.architecture")
    text = _text(model, f"{architecture}.{key}")
    return int(text) if text.isdigit() else default


def _text(model: Any, key: str) -> str:
    room = ctypes.create_string_buffer(64)
    native.llama_model_meta_val_str(model, key.encode(), room, len(room))
    return room.value.decode("utf-8", "replace")
