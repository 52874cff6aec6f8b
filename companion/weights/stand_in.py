"""Stand-ins: a model that is taken where the better one, which only a hub has, cannot be had.

Which of the two is used is told by the files that are here, so a start asks nobody. Only a fetch of
what is missing asks the hub, once, for a few seconds at most.
"""

from __future__ import annotations

from pathlib import Path

from companion.errors import FetchError
from companion.weights import hub
from companion.weights.fetch import Closed
from companion.weights.manifest import Entry, HubFile, Manifest
from companion.weights.progress import Progress
from companion.weights.verify import present


def in_use(entry: Entry, manifest: Manifest, models_dir: Path) -> Entry:
    """The entry itself where its files are here, else its stand-in where those are; the entry where
    neither is. Looks at the disk only."""
    if entry.stand_in is None or present(entry, models_dir):
        return entry
    other = manifest[entry.stand_in]
    return other if present(other, models_dir) else entry


def to_fetch(
    entry: Entry, manifest: Manifest, models_dir: Path, progress: Progress, closed: Closed
) -> Entry:
    """What is to be brought into place for an entry that a configuration names: what is in use
    already, else the entry where its hub has it, else its stand-in, with one line that says so.

    closed: is told when there is no connection to the hub, so that no later file tries it.
    """
    found = in_use(entry, manifest, models_dir)
    if entry.stand_in is None or present(found, models_dir):
        return found
    first = entry.files[0]
    source = next(each for each in first.sources if isinstance(each, HubFile))
    try:
        hub.probe(source, first.size)
    except hub.HubUnreachable as error:
        closed[source.kind] = reason = str(error)
    except FetchError as error:
        reason = str(error)
    else:
        return entry
    progress.note(f"{reason}. {stands_in(entry)}")
    return manifest[entry.stand_in]


def stands_in(entry: Entry) -> str:
    """What it means that an entry's stand-in is used, and how to change it, in one sentence."""
    return (
        f"{entry.stand_in} stands in for {entry.name}, which is made for talk; where a model hub "
        f"can be reached: companion models fetch {entry.name}"
    )
