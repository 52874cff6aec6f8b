"""Memory that runs out, told apart from whatever else llama.cpp fails of.

llama.cpp returns no reason: only its log says that an allocation failed, and mostly of what size.
"""

from __future__ import annotations

import re
import resource
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.engines.llama.devices import gpus

_SIGNS = re.compile(
    r"cannot allocate|out of memory|insufficient memory|(?:unable|failed) to (?:re)?allocate"
    r"|bad_alloc",
    re.IGNORECASE,
)
_SIZES = re.compile(r"buffer of size (\d+)|(?:allocating|attempted to allocate) ([\d.]+) Mi?B")
_COMPUTE = re.compile(r"compute|graph_reserve|gallocr")
_PAGE = resource.getpagesize()


@dataclass(frozen=True)
class Shortage:
    """Memory that was asked for and not given."""

    needed: int | None
    """Bytes of the piece that was refused; None where nobody said."""

    free: int | None
    """Bytes that were free where it was wanted; None where that cannot be read."""

    gpu: bool
    """Whether it was a GPU's memory."""

    computing: bool
    """Whether it was for the buffers of one batch, not for weights or cache."""

    def __str__(self) -> str:
        where = " on the GPU" if self.gpu else ""
        needed = "more" if self.needed is None else _size(self.needed)
        # What the failed call had taken is free again. Only a GPU may refuse a piece and have more.
        told = self.free is not None and (self.gpu or not self.free > (self.needed or 0) > 0)
        free = f", {_size(self.free or 0)} free" if told else ""
        return f"{needed} needed at once{where}{free}"


def shortage(lines: Sequence[str], expected: int | None = None) -> Shortage | None:
    """What the errors of a failed call say of memory; None when they speak of something else.

    expected: the bytes that were asked for, for when the log does not say, as with a file that
    cannot be mapped. A demand far above them is no shortage: a damaged file makes it.
    """
    if not any(_SIGNS.search(line) for line in lines):
        return None
    sizes = [_bytes(match) for line in lines for match in _SIZES.finditer(line)]
    needed = max(sizes, default=expected)
    if expected is not None and needed is not None and needed > 2 * expected:
        return None
    text = " ".join(lines)
    gpu = next((each for each in gpus() if each.name in text or "cudaMalloc" in text), None)
    free = _free() if gpu is None else gpu.free
    if not sizes and expected is not None and free is not None and free > 2 * expected:
        return None  # There was plenty: an absurd size in the file, too large to be named.
    return Shortage(needed, free, gpu is not None, bool(_COMPUTE.search(text)))


def _free() -> int | None:
    """Bytes that this process can still be given: the machine's, or what a limit leaves."""
    left = []
    try:
        fields = Path("/proc/meminfo").read_text(encoding="ascii").split()
        left.append(int(fields[fields.index("MemAvailable:") + 1]) * 1024)
        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            left.append(max(0, limit - pages * _PAGE))
    except (OSError, ValueError):
        pass  # Not Linux: what could be read counts.
    return min(left, default=None)


def _bytes(match: re.Match[str]) -> int:
    exact, mebibytes = match.groups()
    return int(exact) if exact else round(float(mebibytes) * 2**20)


def _size(count: int) -> str:
    return f"{count / 1e9:.2f} GB" if count >= 10**9 else f"{count / 1e6:.0f} MB"
