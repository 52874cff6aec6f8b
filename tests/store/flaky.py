"""A disk that fails: a VFS of SQLite's whose writes raise what they are told to.

`python -m tests.store.flaky` is a process of its own, because a default VFS is everybody's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import apsw


class Disk(apsw.VFS):
    """The real one, but that `fail` is asked before each write, sync and truncation."""

    def __init__(self, fail: Callable[[str], Exception | None]) -> None:
        self._fail = fail
        super().__init__("flaky", "unix", makedefault=True)

    def xOpen(self, name: Any, flags: Any) -> apsw.VFSFile:  # noqa: N802
        return _File(self._fail, name, flags)


class _File(apsw.VFSFile):
    def __init__(self, fail: Callable[[str], Exception | None], name: Any, flags: Any) -> None:
        self._fail = fail
        super().__init__("unix", name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        self._may("write")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._may("sync")
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._may("truncate")
        super().xTruncate(newsize)

    def _may(self, what: str) -> None:
        error = self._fail(what)
        if error is not None:
            raise error
