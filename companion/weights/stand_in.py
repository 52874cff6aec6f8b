"""Stand-ins: a model that is taken where the better one, which only a hub has, cannot be had.

Which of the two is used is told by the files that are here: a start looks at the disk, and asks
nobody. `companion.weights.reachable` decides which is fetched.
"""

from __future__ import annotations

from pathlib import Path

from companion.weights.manifest import Entry, Manifest
from companion.weights.verify import present


def in_use(entry: Entry, manifest: Manifest, models_dir: Path) -> Entry:
    """The entry itself where its files are here, else its stand-in where those are; the entry where
    neither is. Looks at the disk only."""
    if entry.stand_in is None or present(entry, models_dir):
        return entry
    other = manifest[entry.stand_in]
    return other if present(other, models_dir) else entry


def stands_in(entry: Entry) -> str:
    """What it means that an entry's stand-in is used, and how to change it, in one sentence."""
    return (
        f"{entry.stand_in} stands in for {entry.name}, which is made for talk; where a model hub "
        f"can be reached: companion models fetch {entry.name}"
    )
