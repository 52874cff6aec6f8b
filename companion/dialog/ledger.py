"""What is said, on its way into the log.

It is committed before anything else happens with it. While the disk fails the store (full,
read-only, broken), it waits in RAM, in order, and is written before the next words once the disk
works again: so the talk goes on, and loses what waits only when the power goes, too.
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
from companion.store import log, memories
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


class Ledger:
    """Writes the running session into the log. At most one session is open."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._waiting: list[Said] = []
        self._writing = asyncio.Lock()
        self.session: str | None = None
        """None until something is said: nobody's silence leaves a session behind."""

        self._turn: int | None = None
        self.trouble: str | None = store.trouble
        """Why what is said is not kept just now, in one line; None when it is."""

    @property
    def waiting(self) -> int:
        """Messages that are in RAM alone."""
        return len(self._waiting)

    async def begin(self, session_id: str | None = None) -> None:
        """Open a session unless one is open. Raises InputError for an id that is taken,
        StoreFailing."""
        if self.session is None:
            time = self._waiting[0].time if self._waiting else self._clock.wall()
            self.session = await self._store.write(log.start_session, time, session_id)

    async def write(self, said: Said, used: Sequence[int] = ()) -> int | None:
        """Commit what waits and then this; the number of its turn. None: it waits now, too.

        used: memories that the turn has used, and that grow stronger with it.
        Cancelling the caller changes nothing of that.
        """
        self._waiting.append(said)
        return await self._catch_up(used)

    async def end(self) -> None:
        """Close the session, if one is open; while the disk fails, it stays open."""
        if self._waiting:
            await self._catch_up()
        if self.session is None or self._waiting:
            return
        try:
            await self._store.write(log.end_session, self.session, self._clock.wall())
        except StoreFailing as error:
            self._tell(error)
        else:
            self.session = None

    async def _catch_up(self, used: Sequence[int] = ()) -> int | None:
        return await asyncio.shield(asyncio.ensure_future(self._commit(used)))

    async def _commit(self, used: Sequence[int]) -> int | None:
        async with self._writing:
            del self._waiting[:-MOST_WAITING]
            batch = tuple(self._waiting)
            if not batch:  # a cancelled call before this one has taken it along
                return self._turn
            try:
                await self.begin()
                assert self.session is not None
                self._turn = await self._store.write(_append, self.session, batch, used)
            except StoreFailing as error:
                self._tell(error)
                return None
            del self._waiting[: len(batch)]
            if self.trouble is not None and self._store.trouble is None:
                logger.warning("what is said is kept again")
                self.trouble = None
            return self._turn

    def _tell(self, error: StoreFailing) -> None:
        """Once per trouble: whoever reads the log must not be flooded by it."""
        if self.trouble is None:
            logger.error("what is said is not kept: %s", error)
        self.trouble = str(error)


def _append(c: apsw.Connection, session: str, batch: Sequence[Said], used: Sequence[int]) -> int:
    """The turn number of the last of them."""
    for said in batch:
        message = log.append(
            c,
            session,
            said.role,
            said.text,
            said.time,
            confidence=said.confidence,
            cut=said.cut,
        )
    memories.touch(c, used, batch[-1].time)
    return message.turn
