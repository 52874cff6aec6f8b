"""What llama.cpp says it allocated, where a process's own books do not show it.

Mapped weights and what a processor computes in are resident memory of the process. A GPU's memory
is not, and on an integrated GPU, which shares the machine's, llama.cpp maps no file: there its log
tells the sizes, and the fall of MemAvailable holds them against the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.evaluation.bench.buffers import Buffer

MEMINFO = Path("/proc/meminfo")


@dataclass(frozen=True)
class Allocated:
    """The buffers of one model and its context."""

    buffers: Sequence[Buffer]

    def of(self, kind: str) -> int:
        """Bytes of a kind (`model`, `KV`, `compute`), wherever they lie. What `output` takes, the
        last token's logits, belongs to `compute`."""
        return sum(each.size for each in self.buffers if _kind(each) == kind)

    def on_device(self, kind: str) -> int:
        """Those of them that are no memory of the process: a GPU's."""
        return sum(
            each.size
            for each in self.buffers
            if _kind(each) == kind and not each.place.startswith("CPU")
        )

    @property
    def repacked(self) -> int:
        """Bytes of weights that were laid out anew for this processor, beside the mapped file."""
        return sum(each.size for each in self.buffers if each.place.endswith("REPACK"))

    @property
    def unmapped(self) -> int:
        """Bytes of weights that the process holds and that are no mapped file, repacked or read."""
        return self.of("model") - self.on_device("model") - self._mapped

    @property
    def weights(self) -> int:
        """Bytes of all weights, each once: what was repacked is a copy of what is mapped."""
        return self.of("model") - (self.repacked if self._mapped else 0)

    @property
    def _mapped(self) -> int:
        return sum(each.size for each in self.buffers if each.place.endswith("_Mapped"))

    def kinds(self) -> dict[str, int]:
        """Bytes by kind, of those that there are."""
        return {kind: self.of(kind) for kind in dict.fromkeys(map(_kind, self.buffers))}


def _kind(buffer: Buffer) -> str:
    return "compute" if buffer.kind == "output" else buffer.kind


def available(meminfo: Path = MEMINFO) -> int | None:
    """Bytes that the machine could still give; None where that cannot be read."""
    try:
        fields = meminfo.read_text(encoding="ascii").split()
        return int(fields[fields.index("MemAvailable:") + 1]) * 1024
    except (OSError, ValueError):
        return None
