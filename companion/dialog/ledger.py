"""What is said, on its way into the log.

It is committed before anything else happens with it. While the disk fails the store (full,
read-only, broken), it waits in RAM, in order, and is written before the next words once the disk
works again: so the talk goes on, and loses what waits only when the power goes, too.

A guard's mark takes the same way, between the words and the reply to them. So a turn whose reply
is in the log bears its mark, and only one without a reply may never have been judged
(`companion.safety.unanswered`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import apsw

from companion.clock import Clock
from companion.errors import StoreFailing
from companion.records import Role
from companion.store import log, memories, notices
from companion.store.database import Store

logger = logging.getLogger(__name__)

MOST_WAITING = 1_000
"""Messages kept in RAM; beyond that the oldest are given up."""


@dataclass(frozen=True)
class Said:
    """One message."""

    role: Role
    text: str
    time: datetime
    confidence: float | None = None
    cut: bool = False


@dataclass(frozen=True)
class Barred:
    """A guard's mark: nothing is made of this turn."""

    topic: str
    turn: int | None
    """None: of the words before it, which wait as well."""

    notice: datetime | None = None
    """When the parent is to be told that it was; None: is not told."""


class Ledger:
    """Writes the running session into the log. At most one session is open."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._waiting: list[Said | Barred] = []
        self._writing = asyncio.Lock()
        self.session: str | None = None
        """None until something is said: nobody's silence leaves a session behind."""

        self._turn: int | None = None
        self.trouble: str | None = store.trouble
        """Why what is said is not kept just now, in one line; None when it is."""

        self.unended = False
        """The session is over and the disk does not know it yet."""

    @property
    def waiting(self) -> int:
        """Messages and marks that are in RAM alone."""
        return len(self._waiting)

    async def begin(self, session_id: str | None = None) -> None:
        """Open a session unless one is open. Raises InputError for an id that is taken,
        StoreFailing."""
        if self.session is None:
            said = (each.time for each in self._waiting if isinstance(each, Said))
            time = next(said, self._clock.wall())
            self.session = await self._store.write(log.start_session, time, session_id)

    async def write(self, said: Said | Barred, used: Sequence[int] = ()) -> int | None:
        """Commit what waits and then this; the number of its turn. None: it waits now, too.

        used: memories that the turn has used, and that grow stronger with it.
        Cancelling the caller changes nothing of that.
        """
        self._waiting.append(said)
        self.unended = False
        return await self._catch_up(used)

    async def end(self) -> None:
        """Close the session, if one is open; while the disk fails, it stays open."""
        if self._waiting:
            await self._catch_up()
        self.unended = self.session is not None
        if self.session is None or self._waiting:
            return
        try:
            await self._store.write(log.end_session, self.session, self._clock.wall())
        except StoreFailing as error:
            self._tell(error)
        else:
            self.session = None
            self.unended = False

    async def _catch_up(self, used: Sequence[int] = ()) -> int | None:
        return await asyncio.shield(asyncio.ensure_future(self._commit(used)))

    async def _commit(self, used: Sequence[int]) -> int | None:
        async with self._writing:
            self._give_up_the_oldest()
            batch = tuple(self._waiting)
            if not batch:  # a cancelled call before this one has taken it along
                return self._turn
            try:
                await self.begin()
                assert self.session is not None
                time = self._clock.wall()
                number = await self._store.write(_append, self.session, batch, used, time)
            except StoreFailing as error:
                self._tell(error)
                return None
            self._turn = number or self._turn
            del self._waiting[: len(batch)]
            if self.trouble is not None and self._store.trouble is None:
                logger.warning("what is said is kept again")
                self.trouble = None
            return self._turn

    def _give_up_the_oldest(self) -> None:
        """Beyond MOST_WAITING. A mark is not given up while its turn is in the log."""
        over = len(self._waiting) - MOST_WAITING
        if over > 0:
            oldest = self._waiting[:over]
            self._waiting[:over] = [e for e in oldest if isinstance(e, Barred) and e.turn]

    def _tell(self, error: StoreFailing) -> None:
        """Once per trouble: whoever reads the log must not be flooded by it."""
        if self.trouble is None:
            logger.error("what is said is not kept: %s", error)
        self.trouble = str(error)


def _append(
    c: apsw.Connection,
    session: str,
    batch: Sequence[Said | Barred],
    used: Sequence[int],
    time: datetime,
) -> int | None:
    """The turn number of the last message; None when there are marks only."""
    number = None
    for each in batch:
        if isinstance(each, Said):
            number = log.append(
                c,
                session,
                each.role,
                each.text,
                each.time,
                confidence=each.confidence,
                cut=each.cut,
            ).turn
        elif (turn := each.turn or number) is not None:
            notices.mark(c, each.topic, session, turn, tell=each.notice)
    memories.touch(c, used, time)
    return number
