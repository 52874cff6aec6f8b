"""A toy with a real store: the rooms behind the page, without daemon and models."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import apsw

from companion.clock import Clock
from companion.config import Config
from companion.daemon.status import idle
from companion.parents import ACCESS, CHANGES, READS
from companion.records import Source
from companion.store import log, memories
from companion.store.database import Store

A_TALK = 20
"""Messages."""


class StoreToy:
    """Asks what the daemon would ask."""

    def __init__(self, store: Store, config: Config, clock: Clock) -> None:
        self.store, self.config, self.clock = store, config, clock
        self.asked: list[str] = []

    async def is_on(self) -> bool:
        return True

    async def ask(self, do: str, **details: Any) -> Any:
        self.asked.append(do)
        if do == "status":
            return idle(self.config)
        act = {**READS, **CHANGES, **ACCESS}[do]
        return await act(self.store, self.config, self.clock, details)


def fill(c: apsw.Connection, count: int, now: datetime) -> None:
    """So many memories, in talks of A_TALK messages, one on each of the days before now."""
    for first in range(0, count, A_TALK):
        then = now - timedelta(days=first / A_TALK)
        session = log.start_session(c, then, f"talk-{first}")
        for number in range(first, min(first + A_TALK, count)):
            text = f"My rabbit number {number} likes dandelions."
            log.append(c, session, "user", text, then)
            log.append(c, session, "assistant", "That is a lot of rabbits.", then)
            turn = number - first + 1
            memories.add(
                c,
                f'The user said: "{text}"',
                kind="pet",
                sources=[Source(session, turn, text)],
                vector=None,
                embedder="none",
                now=now,
                said=then,
            )
        log.end_session(c, session, then)
        log.mark_consolidated(c, session, then)
