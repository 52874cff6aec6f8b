"""Which of a model and its stand-in is fetched: what the hub has, asked once, for a few seconds."""

from __future__ import annotations

from pathlib import Path

from companion.errors import FetchError
from companion.weights import hub
from companion.weights.fetch import Closed
from companion.weights.manifest import Entry, HubFile, Manifest
from companion.weights.progress import Progress
from companion.weights.stand_in import in_use, stands_in
from companion.weights.verify import present


def refusal(entry: Entry) -> FetchError | None:
    """Why the hub does not give an entry's files, asked for the first byte of the first of them;
    None when it has it."""
    file = entry.files[0]
    source = next(each for each in file.sources if isinstance(each, HubFile))
    try:
        hub.probe(source, file.size)
    except FetchError as error:
        return error
    return None


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
    reason = refusal(entry)
    if reason is None:
        return entry
    if isinstance(reason, hub.HubUnreachable):
        closed["hub"] = str(reason)
    progress.note(f"{reason}. {stands_in(entry)}")
    return manifest[entry.stand_in]
