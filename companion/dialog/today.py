"""What day it is, and how long ago the last talk was: the line that a person's message begins with.

It stands there in the first message of a talk, and again when the day or its part has changed, and
stays with its message, as a recalled block does. `Dialog.warm` reads it before anybody speaks.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from companion import language
from companion.clock import Clock
from companion.dialog import prompt
from companion.dialog.conversation import Conversation
from companion.errors import StoreFailing
from companion.store import history
from companion.store.database import Store


@dataclass(eq=False)
class Today:
    """The line for the next message."""

    _store: Store
    _clock: Clock
    _wanted: bool

    async def line(self, talk: Conversation) -> str:
        """At most 24 tokens; "" when nothing has changed, or the clock is not trusted."""
        if not (self._wanted and self._clock.trusted()):
            return ""
        now = self._clock.wall()
        moment = language.dates.moment(now)
        told = (each.now for each in reversed(talk.window) if not each.block)
        shown = next(filter(None, told), "")
        if not moment or moment in shown:
            return ""
        ago = ""
        if not shown:
            with contextlib.suppress(StoreFailing):
                last = await self._store.read(history.last_talk, talk.session)
                ago = language.dates.since(last, now) if last is not None else ""
        return prompt.now_line(moment, ago)
