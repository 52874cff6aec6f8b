"""Counts starts that came to nothing, so that a crash loop ends in a toy that still talks.

Every start is noted on disk before anything of it can fail, and crossed out by an orderly stop
or by a life that was long enough. What is left are crashes. After `crashes` of them within
`crash_window_s` the daemon talks without its memory; when that crashes as often again, without
its language model too. The wall clock is used, because a crash may take the machine along;
notes from the future (the clock was set back) do not count.
"""

from __future__ import annotations

import json
import logging
import math
import os
from enum import IntEnum
from pathlib import Path

from companion.clock import Clock
from companion.config import ServiceSection
from companion.durable import sync

logger = logging.getLogger(__name__)

FILE = "starts.json"


class Safe(IntEnum):
    """How much is left out."""

    OFF = 0
    NO_MEMORY = 1
    NO_MODEL = 2


class Starts:
    """The notes of one data directory. Call it only while holding the daemon's lock."""

    def __init__(self, directory: Path, section: ServiceSection, clock: Clock) -> None:
        self._path = directory / FILE
        self._section = section
        self._clock = clock

    @property
    def healthy_s(self) -> float:
        """A start that lives longer than this is no part of a crash loop."""
        return self._section.crash_window_s / self._section.crashes

    def begin(self) -> Safe:
        """Note this start; what it should leave out, after those before it."""
        now = self._clock.wall().timestamp()
        times = [time for time in self._read() if time <= now]
        section = self._section

        def crashes(window_s: float) -> int:
            return sum(now - time <= window_s for time in times)

        level = Safe.OFF
        if crashes(2 * section.crash_window_s) >= 2 * section.crashes:
            level = Safe.NO_MODEL
        elif crashes(section.crash_window_s) >= section.crashes:
            level = Safe.NO_MEMORY
        self._write([*times, now][-2 * section.crashes :])
        return level

    def withdraw(self) -> None:
        """This start was refused for a good reason: it was no crash."""
        self._write(self._read()[:-1])

    def clear(self) -> None:
        """All is well: the next start is an ordinary one."""
        self._write([])

    def _read(self) -> list[float]:
        try:
            times = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return []
        if not isinstance(times, list):
            return []
        return [time for time in times if isinstance(time, float) and math.isfinite(time)]

    def _write(self, times: list[float]) -> None:
        """Whole or not at all. A disk that takes nothing must not keep the toy from talking."""
        new = self._path.with_suffix(".new")
        try:
            with open(new, "w", encoding="ascii") as file:
                json.dump(times, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self._path)
            sync(self._path.parent)
        except OSError as error:
            logger.warning("%s: starts cannot be counted: %s", self._path, error.strerror)
