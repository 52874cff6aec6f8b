"""Room on the disk set aside for erasing.

Deleting rows writes to the log of the database first, so on a full disk even an erase fails.
Freeing this file makes room for it.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

BALLAST_BYTES = 4 * 2**20


def fill(directory: Path) -> None:
    """Set the room aside, if there is any."""
    path = directory / "ballast"
    with contextlib.suppress(OSError):
        if path.exists() and path.stat().st_size == BALLAST_BYTES:
            return
        file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            _reserve(file)
        finally:
            os.close(file)


def _reserve(file: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, BALLAST_BYTES)
    else:  # macOS has no such call
        os.pwrite(file, bytes(BALLAST_BYTES), 0)


def free(directory: Path) -> None:
    """Give the room back to the disk."""
    (directory / "ballast").unlink(missing_ok=True)
