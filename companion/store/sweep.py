"""Taking the bytes of erased rows out of every file of the data directory.

SQLite zeroes what it frees (secure_delete), but older copies stay behind: pages in the -wal, in
backups, in damaged files that were put aside, and cells moved within a page. So all of these are
rewritten or removed. A fresh backup takes the place of the old ones.
"""

from __future__ import annotations

from pathlib import Path

import apsw

from companion import faults
from companion.errors import StoreError
from companion.store import backup, text_index


def sweep(c: apsw.Connection, directory: Path, key: str | None, keep: int) -> None:
    """Leave no byte of an erased row in any file; outside any transaction.

    On a full disk the database itself cannot be rewritten: then that part waits for the next
    start. Raises StoreError when another process reads on and so holds old pages.
    """
    faults.point("sweep:begun")
    backups = backup.all_in(directory)
    for old in (*backups, *backup.unfinished_in(directory), *backup.put_aside_in(directory)):
        old.unlink()  # first of all: on a full disk this makes room for the rest
    faults.point("sweep:backups-gone")
    full = False
    try:
        for index in text_index.INDEXES:
            c.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")
        c.execute("VACUUM")
    except apsw.FullError:
        full = True
    faults.point("sweep:rewritten")
    _empty_wal(c, directory)
    faults.point("sweep:emptied")
    if full:
        return
    c.execute("UPDATE state SET swept = 1")  # all of it is gone: what follows may be cut
    faults.point("sweep:noted")
    if backups:
        backup.make(c, directory, key, keep)


def note(c: apsw.Connection) -> None:
    """Rows are erased whose bytes remain; in the transaction that erases them."""
    c.execute("UPDATE state SET swept = 0")


def waits(c: apsw.Connection) -> bool:
    """Was an erase cut before its bytes were swept?"""
    return not c.execute("SELECT swept FROM state").get


def _empty_wal(c: apsw.Connection, directory: Path) -> None:
    try:
        c.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    except (apsw.BusyError, apsw.LockedError):
        raise StoreError(
            f"{directory}: erased, but another process is reading and still holds old pages; "
            "end it and start companion once more to finish"
        ) from None
