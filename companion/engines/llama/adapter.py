"""A low-rank adapter over the weights of a model (LoRA), as llama.cpp loads it."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

import llama_cpp as native

from companion.engines.llama.library import forget_errors, why
from companion.errors import ModelFileError


def put_on(context: Any, model: Any, path: Path) -> None:
    """Load an adapter and use it for all that the context evaluates. It is freed with the model.

    context: a `llama_context *`; model: its `llama_model *`. Raises ModelFileError.
    """
    forget_errors()
    adapter = native.llama_adapter_lora_init(model, os.fsencode(path))
    if not adapter:
        raise ModelFileError(
            f"{path}: is no adapter for these weights ({why()}); set llm.active.adapter to auto, "
            "or to none"
        )
    adapters = (native.llama_adapter_lora_p_ctypes * 1)(adapter)
    scales = (ctypes.c_float * 1)(1.0)
    if native.llama_set_adapters_lora(context, adapters, 1, scales) != 0:
        raise ModelFileError(f"{path}: cannot be used with these weights: {why()}")
