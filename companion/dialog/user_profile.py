"""What is known of the person who talks: read for the prompt, noted as soon as it is said."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence
from datetime import datetime

import apsw

from companion.clock import Clock
from companion.dialog.recall_protocol import TurnKey
from companion.errors import StoreFailing
from companion.introduction.asked import passed_over
from companion.introduction.said import Said
from companion.records import Profile, Source
from companion.store import profile
from companion.store.database import Store
from companion.store.profile import CoreItem

logger = logging.getLogger(__name__)


class UserProfile:
    """The profile in the store; while the disk fails, what was read of it last."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._known = Profile()

    async def current(self) -> Profile:
        """As it is now."""
        with contextlib.suppress(StoreFailing):
            self._known = await self._store.read(profile.current)
        return self._known

    async def passed_over(self) -> frozenset[CoreItem]:
        """What the person is not to be asked for any more (`introduction.asked`)."""
        with contextlib.suppress(StoreFailing):
            return await self._store.read(passed_over, self._known)
        return frozenset()

    async def note(self, learnt: Sequence[Said], turn: TurnKey | None) -> None:
        """Note what the person said of themselves in a turn; None: in one that is not stored."""
        if not learnt or turn is None:
            return
        try:
            await self._store.write(_note, learnt, turn, self._clock.wall())
        except StoreFailing as error:
            # The words are read again when memories are tidied.
            logger.error("what was told of the person is not noted yet: %s", error)


def _note(c: apsw.Connection, learnt: Sequence[Said], turn: TurnKey, time: datetime) -> None:
    for said in learnt:
        profile.note(c, said.item, said.value, Source(*turn, said.quote), time)
