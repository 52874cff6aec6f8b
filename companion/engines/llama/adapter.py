"""A low-rank adapter over the weights of a model (LoRA), as llama.cpp loads it."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

import llama_cpp as native

from companion.engines.llama.library import forget_errors, why
from companion.errors import EngineError, ModelFileError


def load(model: Any, path: Path) -> Any:
    """A `llama_adapter_lora *`, freed with its model. model: a `llama_model *`. Raises
    ModelFileError."""
    forget_errors()
    adapter = native.llama_adapter_lora_init(model, os.fsencode(path))
    if not adapter:
        raise ModelFileError(
            f"{path}: is no adapter for these weights ({why()}); set llm.active.adapter to auto, "
            "or to none"
        )
    return adapter


def use(context: Any, adapter: Any, *, on: bool) -> None:
    """Put an adapter over what the context evaluates from now on, or take it off. Raises
    EngineError."""
    adapters = (native.llama_adapter_lora_p_ctypes * 1)(adapter)
    scales = (ctypes.c_float * 1)(1.0)
    if native.llama_set_adapters_lora(context, adapters, int(on), scales) != 0:
        raise EngineError(f"the adapter cannot be used with these weights: {why()}")
