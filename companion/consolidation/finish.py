"""Marks a session as consolidated; from then on its raw turns may expire."""

from __future__ import annotations

import apsw

from companion.clock import Clock
from companion.consolidation.report import Effects
from companion.store import log, pending
from companion.store.pending import Unit


class Finishing:
    """The step `finish`: one session with no work left that can still be done."""

    name = "finish"

    def __init__(self, clock: Clock, nights: int) -> None:
        self._clock = clock
        self._nights = nights

    def pending(self, c: apsw.Connection) -> list[Unit]:
        open_ends = {session for session, _ in self._left(c)}
        return [unit for unit in pending.unfinished(c) if unit[0] not in open_ends]

    async def infer(self, unit: Unit) -> None:
        return None

    def commit(self, c: apsw.Connection, unit: Unit, result: None) -> Effects:
        log.mark_consolidated(c, unit[0], self._clock.wall())
        return Effects({"sessions": 1})

    def _left(self, c: apsw.Connection) -> set[Unit]:
        """Units that a later run will try again; those given up do not hold a session back."""
        queries = {
            "chunk": pending.unchunked,
            "summarize": pending.unsummarized,
            "draft": pending.undrafted,
            "merge": pending.unmerged,
            "refine": pending.unrefined,
            "profile": pending.unprofiled,
        }
        left: set[Unit] = set()
        for step, query in queries.items():
            left |= set(query(c)) - pending.given_up(c, step, self._nights)
        return left
