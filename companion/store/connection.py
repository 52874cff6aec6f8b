"""A configured connection to one database file of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import sqlite_vec

from companion.errors import StoreError, StoreFailing

CACHE_KIB = 65_536
"""Taken as pages are read, not at once. A vector whose page does not stay here is read and
decrypted again for each search; 20,000 of them take 41 MB."""

BUSY_MS = 5_000


def connect(path: Path | None, key: str | None, *, reader: bool = False) -> apsw.Connection:
    """Open the file, made with mode 0600 when it is new; None: a database in RAM.
    `key`: hexadecimal, None for plain.

    Durability: WAL with synchronous=FULL, a commit is on disk before it is acknowledged.
    Raises apsw.NotADBError when the key is wrong or the file is damaged beyond recognition.
    """
    if path is not None and not reader:
        path.touch(mode=0o600, exist_ok=True)  # -wal and -shm take over its mode
    c = apsw.Connection(":memory:" if path is None else str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        if key is not None:
            # `raw:`: the key is random already, deriving another from it costs 30 ms a time.
            c.pragma("key", f"raw:{key}")
        c.set_busy_timeout(BUSY_MS)
        c.enable_load_extension(True)
        c.load_extension(sqlite_vec.loadable_path())
        c.enable_load_extension(False)
        c.pragma("foreign_keys", True)
        c.pragma("cache_size", -CACHE_KIB)
        if reader:
            c.pragma("query_only", True)
            c.pragma("schema_version")  # the first read shows whether the key fits
        else:
            c.pragma("secure_delete", True)
            c.pragma("journal_mode", "wal")
            c.pragma("synchronous", "FULL")
    except BaseException:
        c.close()
        raise
    return c


def rows(c: apsw.Connection, sql: str, *params: apsw.SQLiteValue) -> list[tuple[Any, ...]]:
    """All rows of a query."""
    return c.execute(sql, params).fetchall()


@contextmanager
def transaction(c: apsw.Connection) -> Iterator[None]:
    """All or nothing. IMMEDIATE: it can wait for its turn at the start, never fail half-way."""
    c.execute("BEGIN IMMEDIATE")
    try:
        yield
        c.execute("COMMIT")
    except BaseException:
        if c.in_transaction:
            c.execute("ROLLBACK")
        raise


@contextmanager
def plain_errors(directory: Path) -> Iterator[None]:
    """SQLite's failures as StoreError: one line, without a word of what was stored."""
    try:
        yield
    except apsw.FullError:
        raise StoreFailing(
            f"{directory}: memory is full (no room on the disk): free some space"
        ) from None
    except apsw.ReadOnlyError:
        raise StoreFailing(
            f"{directory}: the store, or the disk it is on, is open for reading only"
        ) from None
    except apsw.BusyError:
        raise StoreFailing(
            f"{directory}: another process keeps the store busy; try again"
        ) from None
    except apsw.NotADBError:
        raise StoreError(
            f"{directory}: the store cannot be read with this key: it is the wrong key, or the "
            "file is damaged"
        ) from None
    except apsw.CorruptError:
        raise StoreFailing(
            f"{directory}: the store is damaged; start again and it is restored from a backup"
        ) from None
    except (apsw.IOError, apsw.CantOpenError) as error:
        raise StoreFailing(f"{directory}: the disk failed the store: {error}") from None
    except OSError as error:  # of a file beside the database: a backup, the key
        raise StoreFailing(f"{directory}: the disk failed the store: {error.strerror}") from None
