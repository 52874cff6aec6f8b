"""The sequence high-water mark: the newest acknowledged message, noted outside the database.

A database whose -wal was lost looks whole (integrity_check says ok) and merely ends earlier.
Only something outside it can tell. The mark is written after each commit, without fsync: after
a power cut it may be behind, never ahead.
"""

from __future__ import annotations

import os
from pathlib import Path

import apsw

from companion.errors import StoreFailing

_DIGITS = 20


class HighWater:
    """The mark of one data directory."""

    def __init__(self, directory: Path) -> None:
        path = directory / "store.mark"
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreFailing(f"{path}: cannot be opened: {error.strerror}") from None
        text = os.pread(self._file, _DIGITS, 0)
        self._mark = int(text) if text.strip().isdigit() else 0

    def missing(self, c: apsw.Connection) -> int:
        """How many acknowledged messages the database has lost.

        Their numbers are taken out of use, so none is ever given twice.
        """
        last = _last_seq(c)
        lost = max(0, self._mark - last)
        if lost:
            c.execute("DELETE FROM sqlite_sequence WHERE name = 'messages'")
            c.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES ('messages', ?)", (self._mark,)
            )
        return lost

    def note(self, c: apsw.Connection) -> None:
        """Raise the mark to the newest message; call after each commit."""
        last = _last_seq(c)
        if last > self._mark:
            os.pwrite(self._file, str(last).rjust(_DIGITS).encode(), 0)
            self._mark = last

    def close(self) -> None:
        """Calling twice is harmless."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def _last_seq(c: apsw.Connection) -> int:
    """The highest number ever given, also when its message is gone."""
    return c.execute("SELECT seq FROM sqlite_sequence WHERE name = 'messages'").get or 0
