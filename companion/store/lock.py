"""One owner per data directory, and one daemon.

The kernel's `flock` is the lock, so whatever kills the owner frees it. The file also holds the
owner's process id, but only to name it in a message.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path

from companion.errors import StoreBusy, StoreFailing


class Lock:
    """Held from construction to `release`. Raises StoreBusy with the owner's process id."""

    def __init__(self, directory: Path, name: str = "store.lock") -> None:
        path = directory / name
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreFailing(f"{path}: cannot be opened: {error.strerror}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(self._file, 20, 0).decode("ascii", "replace").strip()
            os.close(self._file)
            raise StoreBusy(
                f"{directory}: in use by another companion (process {owner or 'unknown'}): "
                "stop it, or look with a command that only reads"
            ) from None
        with contextlib.suppress(OSError):  # on a full disk the lock holds all the same
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let others own the directory. Calling twice is harmless."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
