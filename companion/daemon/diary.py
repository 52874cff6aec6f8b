"""What happened in silence, kept for `companion status`: figures only."""

from __future__ import annotations

import logging
from typing import Any

from companion.clock import Clock
from companion.consolidation.report import Progress, Report
from companion.errors import CompanionError

logger = logging.getLogger(__name__)


class Diary:
    """A Watcher of the phases."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.last: dict[str, Any] | None = None
        """The last consolidation of this run that had something to do: when, and its figures."""

        self.problem: str | None = None
        """Why the last silence failed; None when it did not."""

    def progress(self, progress: Progress) -> None:
        self.problem = None

    def finished(self, report: Report) -> None:
        self.problem = None
        if not report.sessions:
            return  # Nothing was new.
        figures = report.figures()
        self.last = {"at": self._clock.wall().isoformat(timespec="seconds")} | {
            name: figures[name]
            for name in ("sessions", "turns", "added", "replaced", "forgotten", "duration_s")
        }
        logger.info(
            "consolidated %d sessions in %.0f s: %d memories added, %d replaced, %d forgotten",
            report.sessions,
            report.duration_s,
            report.added,
            report.replaced,
            report.forgotten,
        )

    def failed(self, error: CompanionError) -> None:
        self.problem = str(error)
        logger.error("nothing consolidated: %s", error)
