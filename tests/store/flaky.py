"""A disk that fails: a VFS of SQLite's in which writes to the log of a database may fail.

A default VFS is everybody's, so what uses it runs in a process of its own. Only the -wal fails:
a commit writes there and nowhere else. (An error within a checkpoint is not one of the commit
before it; SQLite passes over it, but apsw would raise it from the commit.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import apsw

Fail = Callable[[], Exception | None]


class Disk(apsw.VFS):
    """The real disk, but that `fail` is asked before each write to a -wal. Keep a reference."""

    def __init__(self, fail: Fail) -> None:
        self._fail = fail
        super().__init__("flaky", "unix", makedefault=True)

    def xOpen(self, name: Any, flags: Any) -> apsw.VFSFile:
        return _File(self._fail, name, flags)


class _File(apsw.VFSFile):
    def __init__(self, fail: Fail, name: Any, flags: Any) -> None:
        self._fail = fail if flags[0] & apsw.SQLITE_OPEN_WAL else _never
        super().__init__("unix", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:
        error = self._fail()
        if error is not None:
            raise error
        super().xWrite(data, offset)


def _never() -> None:
    return None
