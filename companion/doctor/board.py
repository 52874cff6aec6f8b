"""What a small board is short of: memory, a quick disk, power."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from companion.doctor.finding import Finding

RUNTIME_BYTES = 700 * 10**6
"""Estimate of what stands beside the weights: Python, store, compute buffers, and a KV cache of
4,096 tokens (28 KB a token for a 1.5B, 57 KB for a 7B)."""

MEMINFO = Path("/proc/meminfo")
QUICK_MB_S = 1500
"""Megabytes a second of an NVMe disk: what a start is reckoned with."""

SLOW_START_S = 30
"""A start that takes so much longer than from such a disk is worth a word."""

_PIECES, _PIECE = 8, 4 * 2**20
_LOW_POWER_W = 10


def memory(meminfo: Path = MEMINFO) -> tuple[int, int | None]:
    """Bytes that the machine has, and those that it could give now; None where that is not told."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        fields = meminfo.read_text(encoding="ascii").split()
        return total, int(fields[fields.index("MemAvailable:") + 1]) * 1024
    except (OSError, ValueError):
        return total, None


def room(weights: int, *, running: bool, have: tuple[int, int | None] | None = None) -> Finding:
    """Whether the weights (bytes) and what stands beside them fit. running: the companion itself
    holds some of the memory."""
    total, available = have or memory()
    need = weights + RUNTIME_BYTES
    what = f"{total / 1e9:.1f} GB; this configuration needs about {need / 1e9:.1f} GB"
    if total < need:
        mend = "use a smaller profile (--profile tiny)"
        return Finding("memory", "bad" if total < weights else "warn", what, mend)
    if available is not None and available < need and not running:
        what = f"{what}, and {available / 1e9:.1f} GB are free now"
        return Finding("memory", "warn", what, "end other programs, or use a smaller profile")
    return Finding("memory", "ok", what)


def disk_speed(file: Path, clock: Callable[[], float] = time.perf_counter) -> int | None:
    """Megabytes a second at which a file is read, as far as it does not lie in memory already;
    None where it cannot be told."""
    try:
        with file.open("rb", buffering=0) as stream:
            size = os.fstat(stream.fileno()).st_size
            os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            began, read = clock(), 0
            for number in range(_PIECES):
                stream.seek(number * size // _PIECES)
                read += len(stream.read(_PIECE))
            spent = clock() - began
    except (OSError, AttributeError):  # not Linux
        return None
    return max(1, round(read / 1e6 / spent)) if read and spent > 0 else None


def slow_start_s(size: int, mb_s: int | None) -> float:
    """Seconds that a file of so many bytes takes longer than from a quick disk."""
    return 0.0 if mb_s is None else max(0.0, size / 1e6 / mb_s - size / 1e6 / QUICK_MB_S)


def reading(file: Path, mb_s: int | None) -> Finding | None:
    """How long each start reads the model; None where that cannot be told."""
    if mb_s is None:
        return None
    size = file.stat().st_size
    seconds = size / 1e6 / mb_s
    what = f"{file.parent} reads {mb_s:,} MB/s"
    if slow_start_s(size, mb_s) <= SLOW_START_S:
        return Finding("disk speed", "ok", what)
    long = f"{seconds / 60:.0f} minutes" if seconds >= 90 else f"{seconds:.0f} s"
    what = f"{what}: each start reads {size / 1e9:.1f} GB for {long} before it can answer"
    return Finding("disk speed", "warn", what, "put models_dir on a quicker disk, as NVMe")


def power() -> Finding | None:
    """The power mode of a Jetson; None of another machine."""
    program = shutil.which("nvpmodel")
    if program is None:
        return None
    done = subprocess.run([program, "-q"], capture_output=True, text=True, check=False)
    mode = next(
        (
            line.partition(":")[2].strip()
            for line in done.stdout.splitlines()
            if line.startswith("NV Power Mode:")
        ),
        None,
    )
    if not mode:
        why = (done.stderr.strip() or f"exit {done.returncode}").splitlines()[0]
        return Finding("power mode", "warn", f"nvpmodel does not tell it ({why})", "run as root")
    watts = mode.upper().removesuffix("W")
    if watts.isdigit() and int(watts) < _LOW_POWER_W:
        what = f"{mode}: clocks are held so low that replies come late"
        return Finding("power mode", "warn", what, "sudo nvpmodel -m 0, and plug it into the mains")
    return Finding("power mode", "ok", mode)
