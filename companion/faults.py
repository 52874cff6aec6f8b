"""Named places at which a test may kill the process: `COMPANION_FAULT=point:kill`.

A power cut at any of them must leave a store that the next run finishes as if nothing had been.
"""

from __future__ import annotations

import os
import signal


def point(name: str) -> None:
    """Die here, as by a power cut, when the environment names this point."""
    if os.environ.get("COMPANION_FAULT") == f"{name}:kill":
        os.kill(os.getpid(), signal.SIGKILL)
