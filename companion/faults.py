"""Named places at which a test may hurt the process: `COMPANION_FAULT=point:kill`.

A power cut at any of them must leave a store that the next run finishes as if nothing had been;
a thread that is stuck (`point:block`) must be noticed.
"""

from __future__ import annotations

import os
import signal
import time


def point(name: str) -> None:
    """Die here, as by a power cut, or stand still, when the environment names this point."""
    fault = os.environ.get("COMPANION_FAULT")
    if fault == f"{name}:kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == f"{name}:block":
        time.sleep(3600)
