"""Backups: whole copies of the database, encrypted with the same key, a few of them kept.

Made before a migration, after a night that has brought enough (`nightly`), and whenever asked for
(`Store.backup`); used when the database is found damaged (`restore`).
"""

from __future__ import annotations

import contextlib
import os
import shutil
from contextlib import closing
from pathlib import Path

import apsw

from companion import faults
from companion.durable import sync
from companion.errors import StoreError, StoreFailing
from companion.store.connection import connect

_SIDE_FILES = ("", "-wal", "-shm")


def make(c: apsw.Connection, directory: Path, key: str | None, keep: int) -> Path | None:
    """Copy the open database to `backups/store.<n>.db` and remove all but the newest `keep`."""
    if keep == 0:
        return None
    folder = directory / "backups"
    folder.mkdir(mode=0o700, exist_ok=True)
    number = max(map(_number, all_in(directory)), default=0) + 1
    final = folder / f"store.{number}.db"
    unfinished = folder / "unfinished"
    try:
        copy(c, unfinished, key)
        faults.point("backup:copied")
        os.replace(unfinished, final)
        faults.point("backup:named")
        sync(folder)
    except BaseException:
        _remove(unfinished)
        raise
    for old in all_in(directory)[:-keep]:
        old.unlink()
    return final


def copy(c: apsw.Connection, path: Path, key: str | None) -> None:
    """A whole copy of the open database under this key, one file, on the disk for good."""
    _remove(path)
    with closing(connect(path, key)) as target:
        with target.backup("main", c, "main") as copying:
            copying.step(-1)
        target.pragma("journal_mode", "delete")  # one file, nothing beside it
    sync(path)


def _remove(path: Path) -> None:
    for side in (*_SIDE_FILES, "-journal"):
        path.with_name(path.name + side).unlink(missing_ok=True)


def nightly(c: apsw.Connection, directory: Path, key: str | None, keep: int) -> Path | None:
    """Back up when the newest good backup is a lived day or `_MANY_MESSAGES` messages behind.

    Two measures, because a board whose clock is never right lives no time but hears words.
    """
    backups = all_in(directory)
    held = _reached(backups[-1], key) if backups else None
    lived_s, seq = c.execute(_REACHED).get
    if held is not None and lived_s - held[0] < _DAY_S and seq - held[1] < _MANY_MESSAGES:
        return None
    if held is None and seq == 0:
        return None
    return make(c, directory, key, keep)


_DAY_S = 86_400.0
_MANY_MESSAGES = 200
_REACHED = (
    "SELECT lived_s, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'messages'), 0) "
    "FROM state"
)


def _reached(path: Path, key: str | None) -> tuple[float, int] | None:
    """Lived seconds and newest message of a backup; None when it cannot be read."""
    try:
        with closing(connect(path, key, reader=True)) as c:
            lived_s, seq = c.execute(_REACHED).get
            return float(lived_s), int(seq)
    except apsw.Error:
        return None


def all_in(directory: Path) -> list[Path]:
    """The backups, oldest first."""
    return sorted((directory / "backups").glob("store.*.db"), key=_number)


def unfinished_in(directory: Path) -> list[Path]:
    """What a backup that was cut has left behind."""
    return sorted((directory / "backups").glob("unfinished*"))


def restore(database: Path, key: str | None, damage: Exception) -> Path:
    """Put the damaged database aside and the newest good backup in its place.

    Returns where the damaged file is kept. Raises StoreError, with the damaged file left where it
    is, when no backup can be read (then the key is wrong, or everything is damaged), StoreFailing
    when there is no room for the copy. The copy is whole before anything is moved, so a cut at
    any moment leaves the damaged file or the copy (`finish_restoring`).
    """
    for candidate in reversed(all_in(database.parent)):
        if _good(candidate, key):
            break
    else:
        if isinstance(damage, apsw.NotADBError):
            raise damage
        raise StoreError(
            f"{database}: the file is damaged and there is no backup to restore it from; "
            "move it away to begin anew"
        )
    new = _new(database)
    try:
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as fresh:
            with open(candidate, "rb") as source:
                shutil.copyfileobj(source, fresh)
            fresh.flush()
            os.fsync(fresh.fileno())
    except OSError as error:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise StoreFailing(
            f"{database}: is damaged, and its backup cannot be put in its place: {error.strerror}"
        ) from None
    faults.point("restore:copied")
    kept = _put_aside(database)
    faults.point("restore:put-aside")
    os.replace(new, database)
    sync(database.parent)
    return kept


def finish_restoring(database: Path) -> None:
    """After a cut restore: the copy goes into its place; half a copy goes away."""
    new = _new(database)
    if not new.exists():
        return
    if database.exists():
        new.unlink()
    else:
        os.replace(new, database)
    sync(database.parent)


def put_aside_in(directory: Path) -> list[Path]:
    """The damaged files that were put aside."""
    return sorted(directory.glob("*.corrupt.*"))


def _new(database: Path) -> Path:
    return database.with_name(database.name + ".new")


def _put_aside(database: Path) -> Path:
    n = 1
    while database.with_name(f"{database.name}.corrupt.{n}").exists():
        n += 1
    for side in reversed(_SIDE_FILES):
        path = database.with_name(database.name + side)
        if path.exists():
            os.replace(path, path.with_name(f"{path.name}.corrupt.{n}"))
    return database.with_name(f"{database.name}.corrupt.{n}")


def _good(path: Path, key: str | None) -> bool:
    try:
        with closing(connect(path, key, reader=True)) as c:
            return bool(c.pragma("quick_check") == "ok")
    except apsw.Error:
        return False


def _number(path: Path) -> int:
    middle = path.name.split(".")[1]
    return int(middle) if middle.isdigit() else 0
