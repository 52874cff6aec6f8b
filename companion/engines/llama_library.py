"""llama.cpp as a library: its log, the loading of a GGUF file, and the check of that file."""

from __future__ import annotations

import ctypes
import os
import re
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llama_cpp as native

from companion.errors import ModelFileError

GGUF_MAGIC = b"GGUF"
ERROR_LEVEL = 4  # GGML_LOG_LEVEL_ERROR of ggml.h

_BUFFER = re.compile(r"(\S+) +(model|KV|compute|output) buffer size = +([\d.]+) MiB")

_last_errors: deque[str] = deque(maxlen=4)


@dataclass(frozen=True)
class Buffer:
    """Memory that llama.cpp allocated."""

    place: str
    """`CPU_Mapped`, `CPU_REPACK`, `CPU`, `CUDA0`: a device, and how it holds it."""

    kind: str
    """`model`, `KV`, `compute` or `output`."""

    size: int
    """Bytes, to a hundredth of a MiB."""


buffers: list[Buffer] = []
"""Everything that models and contexts of this process were given, in order; a few a load."""


@native.llama_log_callback  # type: ignore[untyped-decorator]
def _listen(level: int, text: bytes, _data: ctypes.c_void_p) -> None:
    line = text.decode("utf-8", "replace").strip()
    if level == ERROR_LEVEL and line:
        _last_errors.append(line)
    elif found := _BUFFER.search(line):
        place, kind, size = found.groups()
        buffers.append(Buffer(place, kind, round(float(size) * 2**20)))


# llama.cpp has one log per process. Its chatter would end up in the middle of the dialog; its
# errors are what an EngineError has to say, and what it allocates it tells nowhere else.
native.llama_log_set(_listen, None)
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
    model = native.llama_model_load_from_file(os.fsencode(path), parameters)
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
            f"{path}: no such file; name another, or fetch a known model: companion models fetch"
        ) from None
    except OSError as error:
        raise ModelFileError(f"{path}: cannot be read: {error.strerror}") from None
    if magic != GGUF_MAGIC:
        raise ModelFileError(
            f"{path}: is not a GGUF file; fetch it again with `companion models fetch`"
        )
