"""A parent's requests to the running companion.

A change holds the floor: a reply that runs ends first, and consolidation gives way and later finds
its unit gone. Afterwards the dialog forgets what it still holds. What is hidden goes for good when
it is due.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

from companion.assembly.companion import Companion
from companion.clock import Clock
from companion.config import Config
from companion.consolidation.embed import embed_memory
from companion.daemon.control import Event
from companion.daemon.protocol import PART
from companion.dialog.turn import Dialog
from companion.errors import CompanionError, InputError, StoreError, StoreFailing, StoreInRam
from companion.parents import ACCESS, CHANGES, READS, TAKE_NOTHING
from companion.parents.request import Request
from companion.store import pending_erase

logger = logging.getLogger(__name__)

AGAIN_S = 60.0
"""After so long what could not be erased is tried again."""


class Parents:
    """Carries out what parents ask, one change at a time."""

    def __init__(self, config: Config, clock: Clock) -> None:
        self._config = config
        self._clock = clock
        self._hidden = asyncio.Event()
        """Something may wait to go for good."""

    async def read(self, companion: Companion, request: Request) -> Any:
        """A document. Raises InputError, StoreError; StoreInRam where only what is on the disk is
        asked for (`kept`), and it is not open."""
        store = companion.store
        if request.get("kept") and store.trouble is not None:
            raise StoreInRam(store.trouble)
        return await READS[request["do"]](store, self._config, self._clock, request)

    async def change(self, companion: Companion, request: Request) -> Any:
        """Carry out a change, to its end also when whoever asked has gone meanwhile. Raises
        InputError, StoreError."""
        async with companion.phases.listening() as floor:
            work = asyncio.ensure_future(self._changed(companion, floor.dialog, request))
            try:
                return await asyncio.shield(work)
            except asyncio.CancelledError:
                await asyncio.wait([work])
                raise

    async def access(self, companion: Companion, request: Request) -> Any:
        """Try or set the PIN, or note what was done: to its end, but without the floor, so that
        nobody at the door can interrupt the toy. Raises InputError, StoreError."""
        do = ACCESS[request["do"]]
        work = asyncio.ensure_future(do(companion.store, self._config, self._clock, request))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.wait([work])
            raise

    async def erase_when_due(self, companion: Companion) -> None:
        """Let what is hidden go for good in time; until it is cancelled. What a stop leaves goes
        at the next start."""
        deadlines: dict[int, float] = {}
        self._hidden.set()
        while True:
            await self._hidden.wait()
            waiting = await self._waiting(companion)
            if waiting is None:
                await self._clock.sleep(AGAIN_S)
                continue
            if not waiting:
                self._hidden.clear()
                continue
            # Where no clock tells the day, no time is lived; this one runs on all the same.
            now = self._clock.monotonic()
            for each in waiting:
                deadlines.setdefault(each.id, now + each.due_in_s)
            due = [each.id for each in waiting if deadlines[each.id] <= now]
            if not due:
                await self._clock.sleep(min(deadlines[each.id] for each in waiting) - now)
                continue
            for id in due:
                if not await self._erase(companion, id):
                    deadlines[id] = now + AGAIN_S

    async def _changed(self, companion: Companion, dialog: Dialog, request: Request) -> Any:
        await dialog.settle()
        do = request["do"]
        try:
            done = await CHANGES[do](companion.store, self._config, self._clock, request)
            if do in ("correct", "answer") and "memory" in done:
                await _embed(companion, done["memory"]["id"])
            return done
        finally:
            self._hidden.set()
            if do not in TAKE_NOTHING:
                try:
                    await dialog.forget()
                    companion.assistant.forget()
                except CompanionError as error:  # the next reply reads all of it anew
                    logger.error("after a change: %s", error)

    async def _waiting(self, companion: Companion) -> list[pending_erase.Pending] | None:
        """None: the disk fails."""
        try:
            return await companion.store.read(pending_erase.all_pending)
        except StoreFailing as error:
            logger.error("what waits to be erased cannot be read: %s", error)
            return None

    async def _erase(self, companion: Companion, id: int) -> bool:
        try:
            await self.change(companion, {"do": "erase_now", "id": id})
        except InputError:
            return True  # it has gone with another one, or has been brought back
        except StoreError as error:
            logger.error("what was to be erased is not gone yet: %s", error)
            return False
        return True


async def _embed(companion: Companion, id: int) -> None:
    """So that the next reply finds it; else the next night does it."""
    try:
        await embed_memory(companion.models.embedder, companion.store, id)
    except CompanionError as error:
        logger.error("what was put right is found by its words alone for now: %s", error)


async def in_parts(document: Any) -> list[Event]:
    """The events of an answer: a long document comes in parts."""
    text = await asyncio.to_thread(json.dumps, document)
    if len(text) <= PART:
        return [{"done": document}]
    starts = range(0, len(text), PART)
    parts = [
        {"part": number, "of": len(starts), "text": text[start : start + PART]}
        for number, start in enumerate(starts, start=1)
    ]
    return [*parts, {"done": None}]
