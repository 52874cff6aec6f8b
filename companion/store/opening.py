"""From a directory to an open connection: lock, key, check, restore, migrate."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import apsw

from companion.config import StoreSection
from companion.durable import write_again
from companion.errors import StoreError, StoreFailing
from companion.store import backup, ballast, key, migrations, pending_erase, rotation, sweep
from companion.store.connection import connect, transaction
from companion.store.highwater import HighWater
from companion.store.lock import Lock
from companion.store.migrations import MIGRATIONS, Migration

DATABASE = "store.db"
_PLAIN_HEADER = b"SQLite format 3\0"


@dataclass(frozen=True)
class Opened:
    """What an open store holds. `lock` and `mark` are an owner's."""

    directory: Path
    section: StoreSection
    key: str | None
    connection: apsw.Connection
    notices: tuple[str, ...] = ()
    lock: Lock | None = None
    mark: HighWater | None = None
    trouble: str | None = None
    """Why everything is in RAM alone; None when there is a file."""

    def note_commit(self) -> None:
        """Raise the high-water mark. A full disk must not undo what is committed."""
        if self.mark is not None:
            with contextlib.suppress(OSError):
                self.mark.note(self.connection)

    def close(self) -> None:
        """Close the connection, then let others in."""
        self.connection.close()
        if self.mark is not None:
            self.mark.close()
        if self.lock is not None:
            self.lock.release()


def open_owner(
    directory: Path,
    section: StoreSection,
    schema: Sequence[Migration] = MIGRATIONS,
) -> Opened:
    """Become the store's one owner; see `Store.open`. Brings the file up to `schema`."""
    with ExitStack() as undo:
        _make_directory(directory)
        lock = Lock(directory)
        undo.callback(lock.release)
        path = directory / DATABASE
        backup.finish_restoring(path)
        rotation.finish(path, section.key_file)
        secret = _key(directory, section)
        notices = []
        # What a failed sync left in it would be taken for committed, with a hole behind it.
        write_again(path.with_name(f"{path.name}-wal"))
        try:
            connection = _open_checked(path, secret)
        except (apsw.CorruptError, apsw.NotADBError, apsw.IOError) as damage:
            if not _is_damage(damage):
                raise
            kept = backup.restore(path, secret, damage)
            connection = _open_checked(path, secret)
            notices.append(
                f"{path}: was damaged and has been restored from the newest good backup; "
                f"the damaged file is kept as {kept.name}"
            )
        undo.callback(connection.close)
        if waiting := migrations.waiting(connection, directory, schema):
            if migrations.has_history(connection):
                backup.make(connection, directory, secret, section.backups)
            migrations.migrate(connection, waiting)
        if pending_erase.waits(connection):
            ballast.free(directory)  # even a DELETE needs room on the disk
            with transaction(connection):
                pending_erase.finish(connection)
        if sweep.waits(connection):
            sweep.sweep(connection, directory, secret, section.backups)
        mark = HighWater(directory)
        undo.callback(mark.close)
        if lost := mark.missing(connection):
            notices.append(
                f"{path}: the newest {lost} messages are missing; they were stored, then lost "
                "with a file of the database"
            )
        ballast.fill(directory)
        undo.pop_all()
    return Opened(directory, section, secret, connection, tuple(notices), lock, mark)


def open_in_ram(directory: Path, section: StoreSection, trouble: str) -> Opened:
    """An empty store without a file, for a disk that cannot be written; see `Store.in_ram`."""
    connection = connect(None, None)
    migrations.migrate(connection, MIGRATIONS)
    notice = f"{trouble}; nothing is remembered until that is mended"
    return Opened(directory, section, None, connection, (notice,), trouble=trouble)


def open_reader(directory: Path, section: StoreSection) -> Opened:
    """Look on; see `Store.open`."""
    path = directory / DATABASE
    if not path.exists():
        raise StoreError(f"{path}: no such file; nothing has been stored yet")
    secret = _key(directory, section)
    connection = connect(path, secret, reader=True)
    try:
        migrations.require_current(connection, directory)
    except BaseException:
        connection.close()
        raise
    return Opened(directory, section, secret, connection)


def _open_checked(path: Path, secret: str | None) -> apsw.Connection:
    """Open and read every page once (encrypted pages are authenticated).

    Raises apsw.CorruptError, NotADBError or IOError when a page is damaged.
    """
    connection = connect(path, secret)
    try:
        if connection.pragma("quick_check") != "ok":
            raise apsw.CorruptError("quick_check")
    except BaseException:
        connection.close()
        raise
    return connection


_UNREADABLE = (
    *(apsw.SQLITE_IOERR_READ, apsw.SQLITE_IOERR_SHORT_READ),
    *(apsw.SQLITE_IOERR_DATA, apsw.SQLITE_IOERR_CORRUPTFS),
)


def _is_damage(error: apsw.Error) -> bool:
    """Whether what is stored cannot be read. What cannot be written (a full disk, one that was
    mounted read-only) is whole, and no backup may take its place."""
    return not isinstance(error, apsw.IOError) or getattr(error, "extendedresult", 0) in _UNREADABLE


def _make_directory(directory: Path) -> None:
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreFailing(f"{directory}: cannot be made: {error.strerror}") from None


def _key(directory: Path, section: StoreSection) -> str | None:
    """The key, or None for a plain store. Refuses a file of the other sort by name."""
    path = directory / DATABASE
    try:
        with open(path, "rb") as file:
            header = file.read(len(_PLAIN_HEADER))
    except FileNotFoundError:
        header = b""
    if section.encrypt and header == _PLAIN_HEADER:
        raise StoreError(f"{path}: is not encrypted; set store.encrypt: false to use it as it is")
    if not section.encrypt and header not in (b"", _PLAIN_HEADER):
        raise StoreError(f"{path}: is encrypted; set store.encrypt: true to use it")
    if not section.encrypt:
        return None
    return key.load(directory, section.key_file, database_exists=bool(header))
