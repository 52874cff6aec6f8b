"""Memory that a library has freed, given back to the system."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Return what the C heap holds free: after an engine was loaded, or did something large.

    A library that loads a network parses its file into many small pieces, copies what it needs and
    frees the rest, and glibc keeps that: 60 MB after the embedder alone. Takes half a millisecond;
    elsewhere than on glibc it does nothing.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
