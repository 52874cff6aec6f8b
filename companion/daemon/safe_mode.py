"""Counts starts that came to nothing, so that a crash loop ends in a toy that still talks.

Every start is counted on disk before anything of it can fail, and the count goes back to 0 with
an orderly stop or a life of `healthy_s` after loading. What is left are crashes in a row. After
`crashes` of them the daemon talks without its memory; when that crashes as often again, without
its language model too. No clock is read: a crash may take the machine along, a board has no
battery for its clock, and a start that loads for a minute is no healthier for it.
"""

from __future__ import annotations

import json
import logging
import os
from enum import IntEnum
from pathlib import Path

from companion.config import ServiceSection
from companion.durable import sync

logger = logging.getLogger(__name__)

FILE = "starts.json"

_MOST = 1_000_000
"""More is counted no further; a larger number in the file is damage."""


class Safe(IntEnum):
    """How much is left out."""

    OFF = 0
    NO_MEMORY = 1
    NO_MODEL = 2


class Starts:
    """The count of one data directory. Call it only while holding the daemon's lock."""

    def __init__(self, directory: Path, section: ServiceSection) -> None:
        self._path = directory / FILE
        self._section = section

    def begin(self) -> Safe:
        """Count this start; what it should leave out, after the crashes before it."""
        crashes = self._read()
        self._write(crashes + 1)
        if crashes >= 2 * self._section.crashes:
            return Safe.NO_MODEL
        return Safe.NO_MEMORY if crashes >= self._section.crashes else Safe.OFF

    def withdraw(self) -> None:
        """This start was refused for a good reason: it was no crash."""
        self._write(max(0, self._read() - 1))

    def clear(self) -> None:
        """All is well: the next start is an ordinary one."""
        self._write(0)

    def _read(self) -> int:
        """Starts in a row that came to nothing; 0 where the file says nothing sensible."""
        try:
            count = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return 0
        # `bool` is an `int` to Python, not to us; up to 0.1.0 the file held a list of times.
        return count if type(count) is int and 0 <= count <= _MOST else 0

    def _write(self, count: int) -> None:
        """Whole or not at all. A disk that takes nothing must not keep the toy from talking."""
        new = self._path.with_suffix(".new")
        try:
            with open(new, "w", encoding="ascii") as file:
                json.dump(min(count, _MOST), file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self._path)
            sync(self._path.parent)
        except OSError as error:
            logger.warning("%s: starts cannot be counted: %s", self._path, error.strerror)
