"""Tells the service manager that the daemon lives: from the event loop, and only while it moves.

Two things can stand still. When the event loop is blocked nothing here runs, and faulthandler's
own thread, armed anew at every feeding, writes where each thread stands: functions, files and
lines, never values. When the voice loop no longer hears frames although the event loop runs,
feeding stops. Either way the service manager ends the process and starts it again.
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import sys
from collections.abc import Callable

from companion.daemon.notify import Notifier

logger = logging.getLogger(__name__)

UNWATCHED_S = 30.0
"""Without a service manager the loop is looked at as if one waited this long."""


async def watch(notifier: Notifier, frames: Callable[[], int | None]) -> None:
    """Feed until cancelled. frames: how many frames the voice loop has heard so far; None while
    there is no voice loop."""
    interval_s = notifier.watchdog_s or UNWATCHED_S
    before: int | None = None
    try:
        while True:
            # Late by a quarter of the interval, and a quarter before the process is killed.
            faulthandler.dump_traceback_later(interval_s * 0.75, file=sys.stderr)
            now = frames()
            if now is not None and now == before:
                logger.error("the voice loop has stood still for %.0f s", interval_s / 2)
            else:
                notifier.alive()
            before = now
            await asyncio.sleep(interval_s / 2)
    finally:
        faulthandler.cancel_dump_traceback_later()
