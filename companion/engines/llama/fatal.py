"""The last words of llama.cpp: a GPU's error ends in `abort()`, and what is only collected is lost.
So does memory that runs out within a computation: an exception of C++ that nobody catches.

What is written here goes to the file descriptor itself, past Python's buffers, which an abort
throws away. The lines hold places in llama.cpp's code and names of calls, no word that was said.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re

import llama_cpp as native

_BEGINS = re.compile(
    r"\b(?:CUDA|HIP|MUSA|Metal|Vulkan|SYCL|cuBLAS|CUBLAS) error\b|GGML_ASSERT|GGML_ABORT"
)
_FOLLOWING = 2
"""ggml writes a CUDA error in three lines: what, on which device and where, and the call."""

_STDERR = 2
_left = 0
_Callback = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
_Handler = ctypes.CFUNCTYPE(None)

_NO_MEMORY = re.compile(r"error: out of memory", re.IGNORECASE)
_REMEDY = "lower llm.active.prefill_slice or llm.active.context_tokens, or end other programs"
_ENDS_WITHOUT_MEMORY = f"companion: out of memory while computing; {_REMEDY}\n".encode()


def notice(line: str) -> None:
    """An error of llama.cpp's log: on stderr at once, when an abort is likely to follow."""
    global _left
    if _BEGINS.search(line):
        _left = 1 + _FOLLOWING
    if _left > 0:
        _left -= 1
        write(f"{line}; {_REMEDY}" if _NO_MEMORY.search(line) else line)


def write(line: str) -> None:
    """One line, whole, before anything else happens."""
    with contextlib.suppress(OSError):  # where nobody listens, the end stays the same
        os.write(_STDERR, f"llama.cpp: {line}\n".encode())


@_Callback  # type: ignore[untyped-decorator]
def _aborting(message: bytes | None) -> None:
    write(f"aborts: {(message or b'no reason given').decode('utf-8', 'replace').strip()}")


def listen_to_aborts() -> bool:
    """Have the reason of every abort written, in place of a debugger's trace of the stack.

    False where this build's ggml does not know such a callback.
    """
    setter = getattr(native.llama_cpp._lib, "ggml_set_abort_callback", None)
    if setter is None:
        return False
    setter.argtypes = [_Callback]
    setter.restype = ctypes.c_void_p
    setter(_aborting)
    return True


def _cpp() -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL("libstdc++.so.6")
    except OSError:
        return None  # not GNU's C++: its own last words have to do


_runtime = _cpp()


@_Handler  # type: ignore[untyped-decorator]
def _ending() -> None:
    # There may be no memory left to make a line of: it was made beforehand.
    if _thrown() == b"St9bad_alloc":
        os.write(_STDERR, _ENDS_WITHOUT_MEMORY)
    elif _runtime is not None:
        _runtime["_ZN9__gnu_cxx27__verbose_terminate_handlerEv"]()  # says what was thrown


def _thrown() -> bytes:
    """The mangled name of the exception that nobody catches; nothing when there is none."""
    assert _runtime is not None
    ask = _runtime.__cxa_current_exception_type
    ask.restype = ctypes.c_void_p
    kind = ask()
    if not kind:
        return b""
    # A std::type_info begins with its table of functions; then comes its name.
    return ctypes.c_char_p.from_address(kind + ctypes.sizeof(ctypes.c_void_p)).value or b""


def listen_to_exceptions() -> bool:
    """Have memory that runs out within a computation told in one line, and of any other exception
    that nobody catches what it was, in place of ggml's own handler, which lets a debugger look at
    the whole process. False where that is not possible."""
    setter = getattr(_runtime, "_ZSt13set_terminatePFvvE", None)
    if setter is None:
        return False
    setter.argtypes = [_Handler]
    setter.restype = ctypes.c_void_p
    setter(_ending)
    return True
