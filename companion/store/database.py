"""The store: one encrypted SQLite file, and one thread that owns the connection to it.

Everything else in this room is a plain function `step(connection, ...)`, handed to `Store.write`
(one transaction) or `Store.read`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Concatenate, Literal, ParamSpec, TypeVar

import apsw

from companion.clock import Clock
from companion.config import ForgettingSection, StoreSection
from companion.errors import StoreError, StoreFailing
from companion.store import backup
from companion.store.connection import plain_errors, transaction
from companion.store.lived import LivedTime
from companion.store.opening import Opened, open_in_ram, open_owner, open_reader
from companion.store.utf8_repair import mend_texts

P = ParamSpec("P")
T = TypeVar("T")
Mode = Literal["owner", "reader"]

logger = logging.getLogger(__name__)

_PAUSES_S = (0.05, 0.25)
"""Waits before a write that the disk refused is tried again."""


class Store:
    """An open store. Make it with `await Store.open(...)`, end it with `await store.close()`."""

    def __init__(self, opened: Opened, thread: ThreadPoolExecutor, lived_time: LivedTime) -> None:
        self.directory = opened.directory
        self.section = opened.section
        self.key = opened.key
        """Hexadecimal; None when the store is not encrypted."""

        self.notices = opened.notices
        """What a person should know about how the store was found, one line each."""

        self.trouble = opened.trouble
        """Why everything is in RAM alone, in one line; None when it is kept."""

        self.mode: Mode = "owner" if opened.lock or opened.trouble else "reader"
        self._opened = opened
        self._connection = opened.connection
        self._thread = thread
        self._lived = lived_time
        self._closed = False

    @classmethod
    async def open(
        cls,
        directory: Path,
        section: StoreSection,
        clock: Clock,
        *,
        mode: Mode = "owner",
        largest_gap_days: float = ForgettingSection().largest_gap_days,
    ) -> Store:
        """Open the store in `directory`, made when it is new.

        mode: an `owner` reads and writes and excludes other owners; a `reader` looks on, also
        beside an owner. largest_gap_days: the most lived time that one absence can add.
        Raises StoreBusy (another owner), StoreNewer (written by a newer version), StoreError.
        """
        thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        opener = open_owner if mode == "owner" else open_reader
        try:
            with plain_errors(directory):
                opened = await asyncio.wrap_future(thread.submit(opener, directory, section))
        except BaseException:
            thread.shutdown(wait=False)
            raise
        return cls(opened, thread, LivedTime(clock, largest_gap_days))

    @classmethod
    async def in_ram(
        cls,
        directory: Path,
        section: StoreSection,
        clock: Clock,
        error: StoreError,
        *,
        largest_gap_days: float = ForgettingSection().largest_gap_days,
    ) -> Store:
        """An empty store that forgets, in place of one whose disk fails: talk can go on.

        Nothing is read from `directory` or written to it, so nothing in it can be erased either.
        error: what `open` raised. largest_gap_days: as for `open`.
        """
        thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        opening = thread.submit(open_in_ram, directory, section, str(error))
        opened = await asyncio.wrap_future(opening)
        return cls(opened, thread, LivedTime(clock, largest_gap_days))

    async def write(
        self, step: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `step(connection, ...)` in one transaction; on return it is on disk.

        Whatever the step raises rolls all of it back. Cancelling the awaiter neither loses nor
        halves the write: it takes place as a whole, only nobody waits for it.
        """
        return await self._run(lambda: self._write(lambda c: step(c, *args, **kwargs)))

    async def read(
        self, step: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `step(connection, ...)` on one snapshot; it cannot write."""
        return await self._run(lambda: self._read(lambda c: step(c, *args, **kwargs)))

    async def maintain(
        self, step: Callable[Concatenate[apsw.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `step(connection, ...)` outside any transaction: VACUUM, checkpoints, backups.

        Raises StoreFailing when there is no file to work on.
        """
        self._require_owner()
        if self.trouble is not None:
            raise StoreFailing(self.trouble)
        return await self._run(lambda: step(self._connection, *args, **kwargs))

    async def backup(self) -> Path | None:
        """Back the store up now; None when `store.backups` is 0. Raises StoreError."""
        return await self.maintain(backup.make, self.directory, self.key, self.section.backups)

    async def close(self) -> None:
        """Finish what was begun, then close. Calling twice is harmless."""
        if not self._closed:
            closing = self._submit(self._opened.close)
            self._closed = True
            self._thread.shutdown(wait=False)  # takes no new jobs, finishes those it has
            await self._outcome(closing)

    def _write(self, step: Callable[[apsw.Connection], T]) -> T:
        """A disk that fails once may work a moment later: what was rolled back is tried again."""
        self._require_owner()
        for pause in (*_PAUSES_S, None):
            try:
                result = self._with_sound_texts(self._transact, step)
                break
            except apsw.IOError:
                if pause is None:
                    raise
                time.sleep(pause)
        self._opened.note_commit()
        return result

    def _transact(self, step: Callable[[apsw.Connection], T]) -> T:
        with transaction(self._connection):
            self._lived.advance(self._connection)
            return step(self._connection)

    def _read(self, step: Callable[[apsw.Connection], T]) -> T:
        return self._with_sound_texts(self._snapshot, step)

    def _with_sound_texts(
        self,
        run: Callable[[Callable[[apsw.Connection], T]], T],
        step: Callable[[apsw.Connection], T],
    ) -> T:
        """Run the step; when a stored text is no Unicode, mend it and run the step again."""
        try:
            return run(step)
        except UnicodeDecodeError:
            if self.mode == "reader":
                raise StoreError(
                    f"{self.directory}: a stored text is damaged: start a chat once to mend it"
                ) from None
        with transaction(self._connection):
            mended = mend_texts(self._connection)
        logger.error(
            "%s: %d stored texts were damaged and have been mended", self.directory, mended
        )
        return run(step)

    def _snapshot(self, step: Callable[[apsw.Connection], T]) -> T:
        self._connection.pragma("query_only", True)
        self._connection.execute("BEGIN")
        try:
            return step(self._connection)
        finally:
            if self._connection.in_transaction:  # a disk that fails a read has ended it already
                self._connection.execute("ROLLBACK")
            if self.mode == "owner":
                self._connection.pragma("query_only", False)

    def _require_owner(self) -> None:
        if self.mode == "reader":
            raise StoreError(f"{self.directory}: the store is open for reading only")

    async def _run(self, job: Callable[[], T]) -> T:
        """On the store's thread, in order of arrival."""
        if self._closed:
            raise StoreError(f"{self.directory}: the store is closed")
        return await self._outcome(self._submit(job))

    def _submit(self, job: Callable[[], T]) -> asyncio.Future[T]:
        return asyncio.wrap_future(self._thread.submit(job))

    async def _outcome(self, future: asyncio.Future[T]) -> T:
        with plain_errors(self.directory):
            return await asyncio.shield(future)
