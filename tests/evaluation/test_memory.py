"""The books of `bench memory`, and what is read from /proc."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import UsageError
from companion.evaluation.bench.memory import Ledger
from companion.evaluation.bench.resident import Resident, peak, resident

SMAPS = (
    "7f00-7f01 r--p 00000000 08:01 42 /models/small one.gguf\n"
    "Size:  9 kB\nRss:                 8 kB\n"
    "7f02-7f03 rw-p 00000000 00:00 0 \nRss:                 4 kB\n"
    "7f04-7f05 rw-p 00000000 00:00 0 [heap]\nRss:                 2 kB\n"
)


def proc(directory: Path, smaps: str, status: str = "") -> Path:
    (directory / "smaps").write_text(smaps)
    (directory / "status").write_text(status)
    return directory


def test_weights_are_told_from_the_rest(tmp_path: Path) -> None:
    found = resident(proc(tmp_path, SMAPS))
    assert (found.total, found.weights, found.other) == (14 * 1024, 8 * 1024, 6 * 1024)
    assert not found.torch


@pytest.mark.parametrize("library", ["libtorch_cpu.so", "libtorch.so", "libtorch-1a2b.so.2"])
def test_torch_is_seen_whoever_loaded_it(tmp_path: Path, library: str) -> None:
    line = f"7f06-7f07 r-xp 00000000 08:01 43 /site-packages/torch/lib/{library}\nRss:  1 kB\n"
    assert resident(proc(tmp_path, SMAPS + line)).torch


def test_the_peak_is_read(tmp_path: Path) -> None:
    assert peak(proc(tmp_path, "", "VmPeak:\t 99 kB\nVmHWM:\t   12 kB\n")) == 12 * 1024


def test_a_machine_without_proc_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="run it on Linux"):
        resident(tmp_path / "none")


def test_each_part_is_what_came_since_the_last_one() -> None:
    seen = iter(
        Resident(total, weights) for total, weights in ((10, 0), (60, 40), (65, 40), (63, 40))
    )
    ledger = Ledger(lambda: next(seen))
    ledger.book("small")  # 50 more, of which 40 are mapped weights
    ledger.book("smaller")
    ledger.book("gave some back")
    assert ledger.parts == {"program": 10, "small": 10, "smaller": 5, "gave some back": 0}
