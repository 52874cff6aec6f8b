"""Resident memory of this process, from /proc/self (Linux)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from companion.errors import UsageError

PROC = Path("/proc/self")
_MAPPING = re.compile(r"^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \S+\s*(.*)$")
_RSS = re.compile(r"^Rss:\s+(\d+) kB$")
_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)
_TORCH = re.compile(r"/libtorch[\w-]*\.so")


@dataclass(frozen=True)
class Resident:
    """Bytes in memory."""

    total: int
    weights: int
    """Of mapped GGUF files."""

    torch: bool = False
    """A library of torch is mapped, whoever loaded it."""

    @property
    def other(self) -> int:
        """All but mapped weights."""
        return self.total - self.weights


def resident(proc: Path = PROC) -> Resident:
    """What is resident now. Raises UsageError where there is no /proc."""
    text = _read(proc / "smaps")
    total = weights = 0
    file = ""
    for line in text.splitlines():
        if mapping := _MAPPING.match(line):
            file = mapping.group(1)
        elif rss := _RSS.match(line):
            size = int(rss.group(1)) * 1024
            total += size
            weights += size if file.endswith(".gguf") else 0
    return Resident(total, weights, bool(_TORCH.search(text)))


def peak(proc: Path = PROC) -> int:
    """The most that was ever resident, in bytes. Raises UsageError where there is no /proc."""
    found = _PEAK.search(_read(proc / "status"))
    return int(found.group(1)) * 1024 if found else 0


def _read(file: Path) -> str:
    try:
        return file.read_text(errors="replace")
    except OSError:
        raise UsageError("bench memory reads /proc/self/smaps: run it on Linux") from None
