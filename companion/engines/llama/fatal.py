"""The last words of llama.cpp: a GPU's error ends in `abort()`, and what is only collected is lost.

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


def notice(line: str) -> None:
    """An error of llama.cpp's log: on stderr at once, when an abort is likely to follow."""
    global _left
    if _BEGINS.search(line):
        _left = 1 + _FOLLOWING
    if _left > 0:
        _left -= 1
        write(line)


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
