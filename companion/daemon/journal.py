"""The daemon's log: lines on stderr that the journal sorts by importance, and that tell nothing
of what was said."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from types import TracebackType

_SYSLOG = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3}


class JournalFormatter(logging.Formatter):
    """One line a record; of an exception its kind and place, never its text or values."""

    def __init__(self, *, prefixed: bool) -> None:
        """prefixed: begin with <6> and the like, as `man sd-daemon` describes."""
        super().__init__("%(name)s: %(message)s")
        self._prefixed = prefixed

    def format(self, record: logging.LogRecord) -> str:
        line = f"{record.name}: {record.getMessage()}"
        if record.exc_info and record.exc_info[0] is not None:
            line += f": {place(record.exc_info[0], record.exc_info[2])}"
        line = " ".join(line.split())
        return f"<{_SYSLOG.get(record.levelno, 6)}>{line}" if self._prefixed else line


def place(kind: type[BaseException], trace: TracebackType | None) -> str:
    """`ValueError at file.py:12 in f, file.py:30 in g`: outermost first."""
    frames = traceback.extract_tb(trace)
    return f"{kind.__name__} at " + ", ".join(
        f"{os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames
    )


def open_log() -> None:
    """Log from here on: our own lines from INFO, those of libraries from WARNING."""
    handler = logging.StreamHandler(sys.stderr)
    under_systemd = "JOURNAL_STREAM" in os.environ or "INVOCATION_ID" in os.environ
    handler.setFormatter(JournalFormatter(prefixed=under_systemd))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger("companion").setLevel(logging.INFO)
