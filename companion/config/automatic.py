"""Which profile `auto` means on this machine.

The kind of machine alone decides between `jetson`, `tiny` and `laptop`. Set-up may look closer
(`companion.doctor.choosing`: free memory, cores, a short run, whether a hub has the model) and
leaves its choice beside the weights, so that every start takes the same one and measures nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

FILE = "profile.json"
"""In `models_dir`."""

_LEAST_MEMORY = 3 * 2**30
"""Bytes of memory for `laptop`."""

_SHRUNK = 0.9
"""With less than this share of the memory it was made on, a choice is another machine's."""


@dataclass(frozen=True)
class Choice:
    """A profile, and why it suits this machine, in half a sentence."""

    profile: str
    why: str


def automatic(models_dir: Path) -> Choice:
    """The profile for this machine: what set-up chose for it, else by its kind alone."""
    kind = by_kind()
    return kind if kind.profile != "laptop" else remembered(models_dir) or kind


def by_kind() -> Choice:
    """`jetson`, `tiny` (under 3 GiB of memory) or `laptop`."""
    try:
        board = Path("/proc/device-tree/model").read_text(errors="replace")
    except OSError:
        board = ""
    if "jetson" in board.lower() or Path("/etc/nv_tegra_release").exists():
        return Choice("jetson", "this is a Jetson board")
    memory = machine_memory()
    if memory < _LEAST_MEMORY:
        return Choice("tiny", f"{gigabytes(memory)} of memory; laptop needs 3.2 GB")
    return Choice("laptop", f"{gigabytes(memory)} of memory")


def detect_profile() -> str:
    """The name of the profile for this kind of machine; see `by_kind`."""
    return by_kind().profile


def remembered(models_dir: Path) -> Choice | None:
    """What set-up chose on this machine; None where it has not, or where memory or processor
    were larger then."""
    try:
        document = json.loads((models_dir / FILE).read_text(encoding="utf-8"))
        choice = Choice(str(document["profile"]), str(document["why"]))
        memory, cores = int(document["memory"]), int(document["cores"])
    except (OSError, ValueError, TypeError, KeyError):
        return None
    same = machine_memory() >= memory * _SHRUNK and (os.cpu_count() or 1) >= cores
    return choice if same else None


def remember(models_dir: Path, choice: Choice) -> None:
    """Let `automatic` give this choice from now on. Where nothing can be written it does not."""
    document = vars(choice) | {"memory": machine_memory(), "cores": os.cpu_count() or 1}
    with contextlib.suppress(OSError):
        models_dir.mkdir(parents=True, exist_ok=True)
        temporary = models_dir / f"{FILE}.{os.getpid()}"
        temporary.write_text(json.dumps(document, indent=1), encoding="utf-8")
        temporary.replace(models_dir / FILE)


def machine_memory() -> int:
    """Bytes of memory that the machine has."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def gigabytes(count: int) -> str:
    """A byte count for people, e.g. `24.9 GB`."""
    return f"{count / 1e9:.1f} GB"
