"""Looks closer at a machine than its kind: does it suit `desktop`, or is `laptop` the better one?

Asked at set-up, when no language model is in place yet, and by `companion models choose`. What
costs something comes last: the hub is asked only where memory and cores suffice, and the short run
is made only where the hub has the model.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.config import Config, load
from companion.config.automatic import Choice, by_kind, gigabytes, machine_memory, remembered
from companion.engines.cores import usable_cores
from companion.weights.manifest import Entry, Manifest
from companion.weights.reachable import refusal
from companion.weights.stand_in import in_use
from companion.weights.verify import present

PROFILE = "desktop"
NEEDED_FREE = 8 * 2**30
NEEDED_CORES = 4
NEEDED_READ = 40.0
"""Tokens of a prompt a second: about two thirds of what the 1.5B reads on two cores."""

NEEDED_WRITTEN = 5.0
"""Tokens of an answer a second: a voice speaks three to four."""

MEASURED_WITH = "smollm2-135m"
"""In place wherever llama.cpp was tested at set-up."""

_RUN_TIMEOUT_S = 60
_MEMORY = Path("/proc/meminfo")


@dataclass(frozen=True)
class Machine:
    """What was looked at, in bytes."""

    memory: int
    free: int
    cores: int


@dataclass(frozen=True)
class Expected:
    """Tokens a second of a model that was not run, from a run of a smaller one."""

    read: float
    written: float


def choose(
    machine: Machine, why_not: Callable[[], str | None], run: Callable[[], Expected | None]
) -> Choice:
    """`desktop` where this machine suits it, else `laptop`, and why.

    why_not: asks the hub; why it does not give the model, None where it does. run: the short run;
    None where it could not be made. Each is called only where what comes before it suffices.
    """
    if machine.cores < NEEDED_CORES:
        return Choice("laptop", f"{machine.cores} cores; {PROFILE} needs {NEEDED_CORES}")
    free = f"{gigabytes(machine.free)} of memory free"
    if machine.free < NEEDED_FREE:
        return Choice("laptop", f"{free}; {PROFILE} needs {gigabytes(NEEDED_FREE)}")
    if (reason := why_not()) is not None:
        return Choice("laptop", f"the model of {PROFILE} cannot be had: {reason}")
    expected = run()
    if expected is None:
        return Choice("laptop", f"no short run could be made, without which {PROFILE} is a guess")
    speed = (
        f"a short run lets its model read about {expected.read:.0f} and write about "
        f"{expected.written:.0f} tokens/s"
    )
    if expected.read < NEEDED_READ or expected.written < NEEDED_WRITTEN:
        needed = f"{NEEDED_READ:.0f} and {NEEDED_WRITTEN:.0f}"
        return Choice("laptop", f"{speed} with {PROFILE}, which needs {needed}")
    return Choice(PROFILE, f"{machine.cores} cores, {free}, and {speed}")


def is_settled(config: Config) -> bool:
    """Whether nothing is to be chosen for `auto` in `config`: it was named, chosen before or told
    by the kind of machine, or the model that it has now is in place."""
    llm = config.llm.active
    if config.automatic is None or by_kind().profile != "laptop":
        return True
    if llm.backend != "llama-cpp" or llm.file is not None:
        return True
    manifest, models_dir = Manifest.load(), config.models_dir
    if remembered(models_dir) is not None or llm.model not in manifest:
        return True
    return present(in_use(manifest[llm.model], manifest, models_dir), models_dir)


def choose_here(models_dir: Path) -> Choice:
    """Look at this machine; asks the hub and runs a small model where that can matter.

    Raises ConfigError.
    """
    kind = by_kind()
    if kind.profile != "laptop":
        return kind
    manifest = Manifest.load()
    entry = manifest[load(profile=PROFILE).llm.active.model]
    small = manifest[MEASURED_WITH]
    machine = Machine(machine_memory(), free_memory(), usable_cores())

    def why_not() -> str | None:
        error = None if present(entry, models_dir) else refusal(entry)
        return None if error is None else str(error)

    return choose(machine, why_not, lambda: _run(small, entry, manifest, models_dir))


def free_memory(file: Path = _MEMORY) -> int:
    """Bytes of memory that programs can still take, page cache included."""
    try:
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")


def expected_of(read: float, written: float, small: int, large: int) -> Expected:
    """The speed of a model of `large` bytes, from what one of `small` bytes reads and writes:
    both go by the bytes of the weights, and a small model's overhead makes it an underestimate."""
    share = small / large
    return Expected(read * share, written * share)


def _run(small: Entry, large: Entry, manifest: Manifest, models_dir: Path) -> Expected | None:
    gguf = manifest.path(small.name, models_dir)
    command = [sys.executable, "-m", "companion.engines.llama.speed", str(gguf)]
    try:
        result = subprocess.run(
            command, capture_output=True, text=True, timeout=_RUN_TIMEOUT_S, check=True
        )
        speed = json.loads(result.stdout)
        return expected_of(speed["read"], speed["written"], small.size, large.size)
    except (subprocess.SubprocessError, OSError, ValueError, KeyError):
        return None
