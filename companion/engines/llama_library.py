"""llama.cpp as a library: its log, the loading of a GGUF file, and the check of that file."""

from __future__ import annotations

import ctypes
from collections import deque
from pathlib import Path
from typing import Any

import llama_cpp as native

from companion.errors import ModelFileError

GGUF_MAGIC = b"GGUF"
ERROR_LEVEL = 4  # GGML_LOG_LEVEL_ERROR of ggml.h

_last_errors: deque[str] = deque(maxlen=4)


@native.llama_log_callback  # type: ignore[untyped-decorator]
def _collect_errors(level: int, text: bytes, _data: ctypes.c_void_p) -> None:
    line = text.decode("utf-8", "replace").strip()
    if level == ERROR_LEVEL and line:
        _last_errors.append(line)


# llama.cpp has one log per process. Its chatter would end up in the middle of the dialog; its
# errors are what an EngineError has to say.
native.llama_log_set(_collect_errors, None)
native.llama_backend_init()


def forget_errors() -> None:
    """Before a call whose failure is to be explained."""
    _last_errors.clear()


def why() -> str:
    """What llama.cpp complained of since `forget_errors`, in one line."""
    return _last_errors[0][:300] if _last_errors else "no reason given"


def load_model(path: Path, gpu_layers: int) -> Any:
    """A `llama_model *`, to be freed with `llama_model_free`. Raises ModelFileError."""
    _check_file(path)
    parameters = native.llama_model_default_params()
    parameters.n_gpu_layers = gpu_layers
    forget_errors()
    model = native.llama_model_load_from_file(str(path).encode(), parameters)
    if not model:
        raise ModelFileError(
            f"{path}: cannot be loaded, it may be cut or altered ({why()}); "
            "check it with `companion models verify`, fetch it with `companion models fetch`"
        )
    return model


def _check_file(path: Path) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(len(GGUF_MAGIC))
    except FileNotFoundError:
        raise ModelFileError(
            f"{path}: no such file; fetch it with `companion models fetch`"
        ) from None
    except OSError as error:
        raise ModelFileError(f"{path}: cannot be read: {error.strerror}") from None
    if magic != GGUF_MAGIC:
        raise ModelFileError(
            f"{path}: is not a GGUF file; fetch it again with `companion models fetch`"
        )
