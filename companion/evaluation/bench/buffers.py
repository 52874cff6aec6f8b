"""What llama.cpp allocates for a model, as its log tells it and nothing else does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_BUFFER = re.compile(r"(\S+) +(model|KV|compute|output) buffer size = +([\d.]+) MiB")


@dataclass(frozen=True)
class Buffer:
    """Memory that llama.cpp allocated."""

    place: str
    """`CPU_Mapped`, `CPU_REPACK`, `CPU`, `CUDA0`: a device, and how it holds it."""

    kind: str
    """`model`, `KV`, `compute` or `output`."""

    size: int
    """Bytes, to a hundredth of a MiB."""


@contextmanager
def allocations() -> Iterator[list[Buffer]]:
    """Everything that models and contexts of this process are given meanwhile, in order."""
    from companion.engines.llama import library

    found: list[Buffer] = []

    def read(line: str) -> None:
        if buffer := _BUFFER.search(line):
            place, kind, size = buffer.groups()
            found.append(Buffer(place, kind, round(float(size) * 2**20)))

    library.listeners.append(read)
    try:
        yield found
    finally:
        library.listeners.remove(read)
