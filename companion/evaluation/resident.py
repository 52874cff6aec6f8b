"""Resident memory of this process, from /proc/self/smaps (Linux)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from companion.errors import UsageError

SMAPS = Path("/proc/self/smaps")
_MAPPING = re.compile(r"^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \S+\s*(.*)$")
_RSS = re.compile(r"^Rss:\s+(\d+) kB$")


@dataclass(frozen=True)
class Resident:
    """Bytes in memory."""

    total: int
    weights: int
    """Of mapped GGUF files."""


def resident(smaps: Path = SMAPS) -> Resident:
    """What is resident now. Raises UsageError where there is no /proc."""
    try:
        lines = smaps.read_text(errors="replace").splitlines()
    except OSError:
        raise UsageError("bench memory reads /proc/self/smaps: run it on Linux") from None
    total = weights = 0
    file = ""
    for line in lines:
        if mapping := _MAPPING.match(line):
            file = mapping.group(1)
        elif rss := _RSS.match(line):
            size = int(rss.group(1)) * 1024
            total += size
            weights += size if file.endswith(".gguf") else 0
    return Resident(total, weights)
