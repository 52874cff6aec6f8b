"""The GPUs that the installed llama.cpp was built for and finds, by ggml's registry of devices."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from typing import Any

import llama_cpp as native

from companion.errors import EngineError

_ON_GPU = (1, 2)  # GGML_BACKEND_DEVICE_TYPE_GPU, _IGPU of ggml-backend.h
_NO_GPU = frozenset({"CPU", "BLAS", "RPC"})  # backends that compute elsewhere

_CAPABILITY = re.compile(r"Device (\d+): (.+), compute capability (\d+)\.(\d+)")
_NO_START = re.compile(r"failed to initialize \w+: (.+)")
_BUILT_FOR = re.compile(r"\bARCHS = ([\d,]+)")

_capabilities: dict[int, tuple[str, int]] = {}
_not_started: list[str] = []


def listen(line: str) -> None:
    """A line of llama.cpp's log: what it says of its GPUs, once, when it first looks for them."""
    if found := _CAPABILITY.search(line):
        number, name, major, minor = found.groups()
        _capabilities[int(number)] = (name, 100 * int(major) + 10 * int(minor))
    elif found := _NO_START.search(line):
        _not_started[:] = [found.group(1).strip()]


@dataclass(frozen=True)
class Gpu:
    """A device that layers can lie on."""

    name: str
    """As llama.cpp calls it in its log, e.g. `CUDA0`."""

    free: int
    """Bytes; of an integrated GPU, what the machine has available."""


def check_gpu(gpu_layers: int) -> None:
    """Raises EngineError where layers are to lie on a GPU, and llama.cpp has none, or was built for
    later ones.

    llama.cpp itself would load them on the processor, without a word, and be many times slower; of
    a GPU that its code does not suit it would die.
    """
    if gpu_layers == 0:
        return
    if gpus():
        _check_architecture()
        return
    key = f"llm.active.gpu_layers is {gpu_layers}"
    processor = "or set it to 0 to use the processor"
    if backends := gpu_backends():
        reason = f"; {_not_started[0]}" if _not_started else ""
        raise EngineError(
            f"{key}, but llama.cpp finds no GPU (it was built for {', '.join(backends)}{reason}): "
            f"see that the driver is loaded and its devices may be opened, {processor}"
        )
    raise EngineError(
        f"{key}, but the installed llama.cpp was built without a GPU's code: "
        f"scripts/setup --rebuild on the machine with the GPU, {processor}"
    )


def _check_architecture() -> None:
    """A driver fits CUDA's code for an earlier GPU to a later one, never the reverse."""
    built = _BUILT_FOR.search(native.llama_print_system_info().decode("utf-8", "replace"))
    if built is None or not _capabilities:
        return
    earliest = min(int(each) for each in built.group(1).split(",") if each)
    for name, capability in _capabilities.values():
        if capability < earliest:
            raise EngineError(
                f"the installed llama.cpp was built for GPUs of compute capability "
                f"{_dotted(earliest)} and later, and {name} has {_dotted(capability)}: "
                "scripts/setup --rebuild on this machine"
            )


def _dotted(capability: int) -> str:
    """8.7 for CUDA's 870."""
    return f"{capability // 100}.{capability % 100 // 10}"


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
