"""Says what is to be said although nobody has spoken: timers, alarms, reminders."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from companion.answering import Announcement
from companion.assembly.missing import ignore
from companion.clock import Clock
from companion.errors import EngineError
from companion.phases import Phases

logger = logging.getLogger(__name__)

LOOKS_EVERY_S = 1.0


async def announce(
    phases: Phases,
    clock: Clock,
    say: Callable[[str], Awaitable[None]],
    rings: Callable[[Announcement], None] = ignore,
) -> None:
    """Look every second whether something is due, and say it, until cancelled. say: returns when it
    was heard; what a broken voice cannot say counts as said, so that it does not come for ever.
    rings: told of each before it is said."""
    while True:
        await clock.sleep(LOOKS_EVERY_S)
        for each in await phases.due():
            rings(each)
            try:
                for sentence in each.sentences:
                    await say(sentence)
            except EngineError as error:
                logger.error("not said aloud: %s", error)
            await phases.announced(each)
