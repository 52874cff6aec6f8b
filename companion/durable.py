"""What is on the disk for good: still there after the power went."""

from __future__ import annotations

import errno
import os
from pathlib import Path

_PIECE = 1 << 20


def sync(path: Path) -> None:
    """Have a file, or a folder's list of files, on the disk for good. Raises OSError."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def write_again(path: Path) -> None:
    """Have a file's content on the disk for good, also where an earlier sync has failed.

    After a failed fsync Linux takes the pages for clean: they can still be read, a later fsync
    reports no error, and the next power cut takes them (fsync(2); "fsyncgate", 2018). Only what
    is written again is on its way to the disk again. Readers beside us see no change. Nothing is
    done where there is no such file, or nothing may be written. Raises OSError.
    """
    try:
        file = os.open(path, os.O_RDWR)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS):
            return
        raise
    try:
        at = 0
        while piece := os.pread(file, _PIECE, at):
            at += os.pwrite(file, piece, at)
        if at:
            os.fsync(file)
    finally:
        os.close(file)
