"""The GPUs that the installed llama.cpp was built for and finds, by ggml's registry of devices."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import llama_cpp as native

from companion.errors import EngineError

_ON_GPU = (1, 2)  # GGML_BACKEND_DEVICE_TYPE_GPU, _IGPU of ggml-backend.h
_NO_GPU = frozenset({"CPU", "BLAS", "RPC"})  # backends that compute elsewhere


@dataclass(frozen=True)
class Gpu:
    """A device that layers can lie on."""

    name: str
    """As llama.cpp calls it in its log, e.g. `CUDA0`."""

    free: int
    """Bytes; of an integrated GPU, what the machine has available."""


def check_gpu(gpu_layers: int) -> None:
    """Raises EngineError where layers are to lie on a GPU, and llama.cpp has none.

    llama.cpp itself would load them on the processor, without a word, and be many times slower.
    """
    if gpu_layers == 0 or gpus():
        return
    key = f"llm.active.gpu_layers is {gpu_layers}"
    processor = "or set it to 0 to use the processor"
    if backends := gpu_backends():
        raise EngineError(
            f"{key}, but llama.cpp finds no GPU (it was built for {', '.join(backends)}): "
            f"see that the driver is loaded and its devices may be opened, {processor}"
        )
    raise EngineError(
        f"{key}, but the installed llama.cpp was built without a GPU's code: "
        f"scripts/setup --rebuild on the machine with the GPU, {processor}"
    )


def gpus() -> tuple[Gpu, ...]:
    """Every GPU that is there, in llama.cpp's order; the first call may wake the driver."""
    found = []
    for index in range(_call("ggml_backend_dev_count", ctypes.c_size_t)):
        device = _call("ggml_backend_dev_get", ctypes.c_void_p, ctypes.c_size_t(index))
        handle = ctypes.c_void_p(device)
        if _call("ggml_backend_dev_type", ctypes.c_int, handle) in _ON_GPU:
            free, total = ctypes.c_size_t(), ctypes.c_size_t()
            _call("ggml_backend_dev_memory", None, handle, ctypes.byref(free), ctypes.byref(total))
            name = _call("ggml_backend_dev_name", ctypes.c_char_p, handle)
            found.append(Gpu(name.decode(), free.value))
    return tuple(found)


def gpu_backends() -> tuple[str, ...]:
    """Kinds of GPU that this build has code for, e.g. `CUDA`, whether or not one is there."""
    names = []
    for index in range(_call("ggml_backend_reg_count", ctypes.c_size_t)):
        backend = _call("ggml_backend_reg_get", ctypes.c_void_p, ctypes.c_size_t(index))
        name = _call("ggml_backend_reg_name", ctypes.c_char_p, ctypes.c_void_p(backend))
        names.append(name.decode())
    return tuple(name for name in names if name not in _NO_GPU)


def _call(name: str, result: Any, *arguments: Any) -> Any:
    # llama-cpp-python binds llama.h only; its library is linked against ggml and shows its symbols.
    function = getattr(native.llama_cpp._lib, name)
    function.restype = result
    return function(*arguments)
