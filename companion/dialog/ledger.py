"""Writes messages into the log, and holds them in RAM while the disk fails.

A message is committed before anything else is done with it. While the store cannot write (the disk
is full, read-only or broken), messages wait in RAM in their order and are written ahead of the next
one as soon as the disk works again. The conversation goes on, and what waits is lost only if the
power fails as well.

A guard's mark is written the same way, between the words and the reply to them. So a turn whose
reply is in the log also has its mark, and only a turn without a reply may never have been judged
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
"""Most messages kept in RAM; beyond that the oldest are dropped."""


@dataclass(frozen=True)
class LogEntry:
    """One message, as `log.append` takes it."""

    role: Role
    text: str
    time: datetime
    confidence: float | None = None
    cut: bool = False


@dataclass(frozen=True)
class GuardMark:
    """A guard's mark: this turn is excluded from prompts, memory and recall."""

    topic: str
    turn: int | None
    """None: the turn of the message before it, which waits in RAM as well."""

    notice: datetime | None = None
    """The time that the parent's notice gives; None when the parent is not told."""


class Ledger:
    """Writes the running session into the log. At most one session is open."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._waiting: list[LogEntry | GuardMark] = []
        self._writing = asyncio.Lock()
        self.session: str | None = None
        """None until something is said: silence alone leaves no session behind."""

        self._turn: int | None = None
        self.trouble: str | None = store.trouble
        """One line saying why messages are not being stored at the moment; None when they are."""

        self.unended = False
        """Whether the session is over and its end is not stored yet."""

    @property
    def waiting(self) -> bool:
        """Whether a message, a guard's mark or the session's end is so far only in RAM."""
        return bool(self._waiting) or self.unended

    async def begin(self, session_id: str | None = None) -> None:
        """Open a session unless one is open. Raises InputError for an id that is taken,
        StoreFailing."""
        if self.session is None:
            said = (each.time for each in self._waiting if isinstance(each, LogEntry))
            time = next(said, self._clock.wall())
            self.session = await self._store.write(log.start_session, time, session_id)

    async def write(self, said: LogEntry | GuardMark, used: Sequence[int] = ()) -> int | None:
        """Commit what waits and then this entry. Returns the number of its turn, or None when it
        now waits as well.

        used: memories that the turn has used, which are strengthened in the same transaction.
        Cancelling the caller does not stop the write.
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

    async def catch_up(self) -> None:
        """Commit what waits. Raises StoreFailing when the disk still fails."""
        if self._waiting:
            await self._catch_up()
        if self._waiting:
            raise StoreFailing(self.trouble or "what was said waits in RAM: the disk fails")

    def lose_session(self) -> None:
        """The session has been erased: what is said next begins another."""
        self.session, self._turn, self.unended = None, None, False

    async def _catch_up(self, used: Sequence[int] = ()) -> int | None:
        return await asyncio.shield(asyncio.ensure_future(self._commit(used)))

    async def _commit(self, used: Sequence[int]) -> int | None:
        async with self._writing:
            self._give_up_the_oldest()
            batch = tuple(self._waiting)
            if not batch:  # an earlier call, cancelled since, has already written it
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
        """Drop what exceeds MOST_WAITING. A mark is never dropped while its turn is in the log."""
        over = len(self._waiting) - MOST_WAITING
        if over > 0:
            oldest = self._waiting[:over]
            self._waiting[:over] = [e for e in oldest if isinstance(e, GuardMark) and e.turn]

    def _tell(self, error: StoreFailing) -> None:
        """Log a failure once, not at every message, so that the log is not flooded."""
        if self.trouble is None:
            logger.error("what is said is not kept: %s", error)
        self.trouble = str(error)


def _append(
    c: apsw.Connection,
    session: str,
    batch: Sequence[LogEntry | GuardMark],
    used: Sequence[int],
    time: datetime,
) -> int | None:
    """The turn number of the last message; None when there are marks only."""
    number = None
    for each in batch:
        if isinstance(each, LogEntry):
            number = log.append(c, session, **vars(each)).turn
        elif (turn := each.turn or number) is not None:
            notices.mark(c, each.topic, session, turn, tell=each.notice)
    memories.touch(c, used, time)
    return number
