"""Are the files of a model what the manifest says?

`verify` always reads every byte. `check` is for every start: a stamp beside the files remembers
size, modification time and hash of what was verified, so that a gigabyte is hashed once, not
each time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path

from companion.errors import ModelFileError
from companion.weights.manifest import Entry, WeightFile

_STAMP = ".verified.json"
_BLOCK = 1 << 20


def verify(entry: Entry, models_dir: Path) -> None:
    """Hash every file. Raises ModelFileError for the first that is missing, cut or altered."""
    for file in entry.files:
        _verify_file(entry, file, entry.folder(models_dir))


def check(entry: Entry, models_dir: Path) -> None:
    """As `verify`, but a file unchanged since it was last verified is not read again."""
    folder = entry.folder(models_dir)
    for file in entry.files:
        if not is_stamped(file, folder):
            _verify_file(entry, file, folder)


def present(entry: Entry, models_dir: Path) -> bool:
    """Whether every file is there with its right size; `verify` reads the bytes."""
    folder = entry.folder(models_dir)
    try:
        return all((folder / file.name).stat().st_size == file.size for file in entry.files)
    except OSError:
        return False


def sha256_of(path: Path) -> str:
    """Hex digest of a file's content. Raises OSError."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def is_stamped(file: WeightFile, folder: Path) -> bool:
    """True when this very file was verified before and has not been touched since."""
    try:
        return _read_stamp(folder)[file.name] == _facts(file, folder)
    except (OSError, KeyError):
        return False


def stamp(file: WeightFile, folder: Path) -> None:
    """Remember that a file was verified just now."""
    # A folder that cannot be written to costs a hash at each start, nothing more.
    with contextlib.suppress(OSError):
        stamps = _read_stamp(folder) | {file.name: _facts(file, folder)}
        temporary = folder / f"{_STAMP}.{os.getpid()}"
        temporary.write_text(json.dumps(stamps, indent=1), encoding="utf-8")
        temporary.replace(folder / _STAMP)


def _verify_file(entry: Entry, file: WeightFile, folder: Path) -> None:
    path = folder / file.name
    # What has a stand-in is not fetched by its name where no hub can be reached.
    name = "" if entry.stand_in else f" {entry.name}"
    mend = f"fetch it with: companion models fetch{name}"
    try:
        found = sha256_of(path)
        size = path.stat().st_size
    except FileNotFoundError:
        raise ModelFileError(
            f"{path}: model file is missing (expected sha256 {file.sha256}); {mend}"
        ) from None
    except OSError as error:
        raise ModelFileError(
            f"{path}: model file cannot be read: {error.strerror}; mend its rights or {mend}"
        ) from None
    if found != file.sha256:
        damage = "cut" if size < file.size else "altered"
        raise ModelFileError(
            f"{path}: model file is {damage} ({size:,} of {file.size:,} bytes; "
            f"expected sha256 {file.sha256}, found {found}); {mend}"
        )
    stamp(file, folder)


def _facts(file: WeightFile, folder: Path) -> dict[str, object]:
    status = (folder / file.name).stat()
    return {"size": status.st_size, "mtime_ns": status.st_mtime_ns, "sha256": file.sha256}


def _read_stamp(folder: Path) -> dict[str, object]:
    try:
        stamps = json.loads((folder / _STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamps if isinstance(stamps, dict) else {}
