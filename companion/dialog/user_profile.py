"""What is known of the person: read for the prompt, and noted as soon as they say it."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence
from datetime import datetime

import apsw

from companion.clock import Clock
from companion.dialog.passed_over import passed_over
from companion.errors import StoreFailing
from companion.language.types import CoreStatement
from companion.recall.protocol import TurnKey
from companion.records import CoreItem, Profile, Source
from companion.store import profile
from companion.store.database import Store

logger = logging.getLogger(__name__)


class UserProfile:
    """The profile in the store; while the disk fails, the version that was read last."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._known = Profile()

    @property
    def known(self) -> Profile:
        """As it was read last."""
        return self._known

    async def current(self) -> Profile:
        """The present profile."""
        with contextlib.suppress(StoreFailing):
            self._known = await self._store.read(profile.current)
        return self._known

    async def passed_over(self) -> frozenset[CoreItem]:
        """The items that the person is not to be asked for again (see `passed_over`)."""
        with contextlib.suppress(StoreFailing):
            return await self._store.read(passed_over, self._known)
        return frozenset()

    async def note(self, learnt: Sequence[CoreStatement], turn: TurnKey | None) -> None:
        """Note what the person said about themselves. turn: None when it is not stored."""
        if not learnt or turn is None:
            return
        try:
            await self._store.write(_note, learnt, turn, self._clock.wall())
        except StoreFailing as error:
            # Consolidation reads the words again.
            logger.error("what was told of the person is not noted yet: %s", error)


def _note(
    c: apsw.Connection, learnt: Sequence[CoreStatement], turn: TurnKey, time: datetime
) -> None:
    for said in learnt:
        profile.note(c, said.item, said.value, Source(*turn, said.quote), time)
