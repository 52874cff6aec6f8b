"""A disk that fails: a VFS of SQLite's in which reads may fail, and writes to the log.

A default VFS is everybody's, so what uses it runs in a process of its own. Of writes only those to
the -wal fail: a commit writes there and nowhere else. (An error within a checkpoint is not one of
the commit before it; SQLite passes over it, but apsw would raise it from the commit.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import apsw

Fail = Callable[[], Exception | None]


def _never() -> None:
    return None


class Disk(apsw.VFS):
    """The real disk, but that `fail` is asked before each write to a -wal, and `fail_read` before
    each read. Keep a reference."""

    def __init__(self, fail: Fail, fail_read: Fail = _never) -> None:
        self._fail = fail
        self._fail_read = fail_read
        super().__init__("flaky", "unix", makedefault=True)

    def xOpen(self, name: Any, flags: Any) -> apsw.VFSFile:
        return _File(self._fail, self._fail_read, name, flags)


class _File(apsw.VFSFile):
    def __init__(self, fail: Fail, fail_read: Fail, name: Any, flags: Any) -> None:
        self._fail_read = fail_read
        self._fail = fail if flags[0] & apsw.SQLITE_OPEN_WAL else _never
        super().__init__("unix", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:
        error = self._fail()
        if error is not None:
            raise error
        super().xWrite(data, offset)

    def xRead(self, amount: int, offset: int) -> bytes:
        error = self._fail_read()
        if error is not None:
            raise error
        return super().xRead(amount, offset)
