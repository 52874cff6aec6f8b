"""Temperature, clocks, power and memory of a Jetson, as its `tegrastats` tells them."""

from __future__ import annotations

import ctypes
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = "tegrastats"
EVERY_MS = 1000
LOG = "tegrastats.log"

_TEMPERATURE = re.compile(r"\b([A-Za-z][\w]*)@(-?\d+(?:\.\d+)?)C\b")
_GPU = re.compile(r"\bGR3D_FREQ (\d+)%(?:@\[?(\d+))?")
_CPU = re.compile(r"\bCPU \[([^\]]*)\]")
_CORE = re.compile(r"\d+%@(\d+)")
_MEMORY = re.compile(r"\bRAM (\d+)/(\d+)MB")
_POWER = re.compile(r"\b(?:VDD_IN|POM_5V_IN) (\d+)(?:mW)?/")
_ABSENT_C = -200.0
"""A sensor that is switched off reads -256."""


@contextmanager
def watched(folder: Path) -> Iterator[bool]:
    """tegrastats beside the block, into a log of the folder; False where there is none."""
    if shutil.which(PROGRAM) is None:
        yield False
        return
    with (folder / LOG).open("ab") as log:
        command = [PROGRAM, "--interval", str(EVERY_MS)]
        process = subprocess.Popen(command, stdout=log, preexec_fn=_end_with_parent)
        try:
            yield True
        finally:
            process.terminate()
            process.wait()


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def read(log: Path) -> dict[str, list[float]]:
    """Series by name: `gpu_c` and other temperatures, `gpu_mhz`, `gpu_percent`, `cpu_mhz` (the
    quickest core), `memory_mb`, `power_mw`. Empty where there is no log; lines that cannot be read
    are left out."""
    series: dict[str, list[float]] = {}
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return series

    def add(name: str, value: str | float | None) -> None:
        if value is not None:
            series.setdefault(name, []).append(float(value))

    for line in lines:
        for sensor, degrees in _TEMPERATURE.findall(line):
            if float(degrees) > _ABSENT_C:
                add(f"{sensor.lower()}_c", degrees)
        if gpu := _GPU.search(line):
            add("gpu_percent", gpu.group(1))
            add("gpu_mhz", gpu.group(2))
        if cpu := _CPU.search(line):
            add("cpu_mhz", max(map(int, _CORE.findall(cpu.group(1))), default=None))
        if memory := _MEMORY.search(line):
            add("memory_mb", memory.group(1))
        if power := _POWER.search(line):
            add("power_mw", power.group(1))
    return series


def document(folder: Path, *, there: bool) -> dict[str, Any]:
    """Least, middle and most of each series; why there is none."""
    if not there:
        return {
            "seen": 0,
            "why": f"{PROGRAM} is not on this machine: neither temperature nor clocks",
        }
    series = read(folder / LOG)
    seen = max(map(len, series.values()), default=0)
    if not seen:
        return {"seen": 0, "why": f"{PROGRAM} said nothing that can be read: see {LOG}"}
    return {
        "seen": seen,
        "every_ms": EVERY_MS,
        **{
            name: [min(values), sorted(values)[len(values) // 2], max(values)]
            for name, values in sorted(series.items())
        },
    }
