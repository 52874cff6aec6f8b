"""llama.cpp as a library: its log, the loading of a GGUF file, and the check of that file."""

from __future__ import annotations

import ctypes
import os
import re
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llama_cpp as native

from companion.engines.llama import devices, fatal
from companion.engines.llama.devices import check_gpu
from companion.engines.llama.out_of_memory import shortage
from companion.errors import EngineError, ModelFileError

GGUF_MAGIC = b"GGUF"
ERROR_LEVEL = 4  # GGML_LOG_LEVEL_ERROR of ggml.h

_NO_DEVICES = ctypes.c_void_p(None)
"""A list of devices that ends where it begins."""

_UNKNOWN = re.compile(r"unknown model architecture: '([^']*)'")

_last_errors: deque[str] = deque(maxlen=8)


listeners: list[Callable[[str], None]] = []
"""Told each line of the log that is no error. The lines hold no word that was said."""


@native.llama_log_callback  # type: ignore[untyped-decorator]
def _listen(level: int, text: bytes, _data: ctypes.c_void_p) -> None:
    line = text.decode("utf-8", "replace").strip()
    devices.listen(line)
    if level == ERROR_LEVEL and line:
        _last_errors.append(line)
        fatal.notice(line)
        return
    for listener in listeners:
        listener(line)


# llama.cpp has one log per process. Its chatter would end up in the middle of the dialog; its
# errors are what an EngineError has to say, and what it allocates it tells nowhere else.
native.llama_log_set(_listen, None)
fatal.listen_to_aborts()
fatal.listen_to_exceptions()
native.llama_backend_init()


def forget_errors() -> None:
    """Before a call whose failure is to be explained."""
    _last_errors.clear()


def why() -> str:
    """What llama.cpp complained of since `forget_errors`, in one line."""
    return _last_errors[0][:300] if _last_errors else "no reason given"


def failure() -> tuple[str, ...]:
    """All that llama.cpp complained of since `forget_errors`, the first (often the cause) first."""
    return tuple(_last_errors)


def load_model(path: Path, gpu_layers: int, *, mmap: bool = True) -> Any:
    """A `llama_model *`, to be freed with `llama_model_free`.

    Raises ModelFileError, and EngineError where the file is sound and memory is short or the GPU
    that `gpu_layers` asks for is not there.
    """
    _check_file(path)
    check_gpu(gpu_layers)
    forget_errors()
    model = native.llama_model_load_from_file(
        os.fsencode(path), model_parameters(gpu_layers, mmap=mmap)
    )
    if not model:
        raise _not_loaded(path)
    return model


def model_parameters(gpu_layers: int, *, mmap: bool = True) -> native.llama_model_params:
    """For the loading of weights: 0 layers on a GPU means that no GPU is touched.

    0 alone does not: llama.cpp then still adds its GPUs, and large batches are sent to them.
    """
    parameters: native.llama_model_params = native.llama_model_default_params()
    parameters.n_gpu_layers = gpu_layers
    parameters.use_mmap = mmap
    if gpu_layers == 0:
        parameters.devices = ctypes.addressof(_NO_DEVICES)  # type: ignore[assignment]
        parameters.split_mode = native.LLAMA_SPLIT_MODE_NONE
        parameters.main_gpu = -1
    return parameters


def keep_off_the_gpu(parameters: native.llama_context_params) -> None:
    """The same for a context over weights of which no layer lies on a GPU."""
    parameters.op_offload = False
    parameters.offload_kqv = False


def _not_loaded(path: Path) -> EngineError | ModelFileError:
    """Why the load that has just failed did so."""
    if short := shortage(failure(), path.stat().st_size):
        key = "a lower llm.active.gpu_layers, or " if short.gpu else ""
        return EngineError(
            f"{path}: not enough memory for the weights ({short}); end other programs, or choose "
            f"{key}a smaller llm.active.model"
        )
    if "mmap failed" in why():
        return EngineError(
            f"{path}: the disk does not let it be mapped into memory ({why()}); "
            "move it to another one: models_dir or llm.active.file"
        )
    if unknown := _UNKNOWN.search(" ".join(failure())):
        return ModelFileError(
            f"{path}: is a model of an architecture that the installed llama.cpp does not know "
            f"({unknown.group(1)}); choose another llm.active.model or llm.active.file"
        )
    return ModelFileError(
        f"{path}: cannot be loaded, it may be cut or altered ({why()}); "
        "check it with `companion models verify`, fetch it with `companion models fetch`"
    )


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
