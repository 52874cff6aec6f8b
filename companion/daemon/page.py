"""The parents' page, as the toy speaks of it: aloud that it is on, and the code that sets its PIN.

While the page is on and has no PIN, whoever holds the toy's button down for five seconds hears a
code, with which a PIN is set on the page. Once there is one, the button gives nothing away: a child
holds the toy all day. `companion web code` asks for a code at any time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Coroutine
from typing import TYPE_CHECKING, Any, Protocol

from companion.assembly.companion import Companion
from companion.daemon.body import Body
from companion.daemon.control import Event
from companion.errors import CompanionError, DaemonError
from companion.parents.request import require_kept
from companion.store import access
from companion.store.database import Store

if TYPE_CHECKING:
    from companion.voice.turns.loop import VoiceLoop

logger = logging.getLogger(__name__)

PAGE_IS_ON = "The page for parents is on now."
PRESS = "Its PIN is not set yet. To set it, hold my button down for five seconds."
NO_BUTTON = (
    "Its PIN is not set yet, so nobody can come in. The command, companion web pin, sets it."
)
CODE = (
    "The code for the page for parents is: {code}. Once more: {code}. It is good for ten minutes."
)


class Running(Protocol):
    """What of a running daemon this needs."""

    async def opened(self) -> Companion:
        """The companion, once it is there."""

    @property
    def body(self) -> Body:
        """What a lamp or a face can follow."""

    @property
    def voice(self) -> VoiceLoop | None:
        """None while there is none."""

    def supervise(self, work: Coroutine[Any, Any, None]) -> object:
        """Run beside everything else, until the end."""

    async def sleep(self, seconds: float) -> None:
        """By the daemon's clock."""


class Page:
    """The page of one daemon."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self._codes = 0
        """So many were made."""

        self._speaks = False
        self._no_button_said = False

    async def shown(self) -> AsyncGenerator[Event, None]:
        """The page is on until whoever asked has gone. The toy says so aloud: nobody is to be
        looked at in secret."""
        companion = await self._running.opened()
        try:
            with self._running.body.shows_page():
                yield {"page": "on"}
                if self._running.voice is not None:
                    await self._tell(self._running.voice, companion.store)
                await asyncio.Event().wait()
        finally:
            if not self._running.body.page:
                self.gives_no_code()

    async def speak_code(self) -> dict[str, Any]:
        """Speak a new one-time code, twice; returns how long it is good for, when it was heard.
        Raises DaemonError without a voice, StoreError."""
        voice, store = self._running.voice, (await self._running.opened()).store
        if voice is None:
            raise DaemonError("the toy cannot speak now; `companion web pin` sets a PIN without it")
        require_kept(store)
        code = await store.write(access.make_code)
        self._codes += 1
        self._running.supervise(self._ends(store, self._codes))
        await voice.say(CODE.format(code=", ".join(code)))
        return {"seconds": access.CODE_S}

    def gives_no_code(self) -> None:
        """From now on the button means nothing here: a PIN is set, or the page is off."""
        if self._running.voice is not None and self._running.voice.button is not None:
            self._running.voice.button.on_long = None

    async def _tell(self, voice: VoiceLoop, store: Store) -> None:
        try:
            said = [PAGE_IS_ON, *await self._first_pin(voice, store)]
            for each in said:
                await voice.say(each)
        except CompanionError as error:  # it is on all the same
            logger.error("not said aloud: %s", error)

    async def _first_pin(self, voice: VoiceLoop, store: Store) -> list[str]:
        """How to set it, while there is none; where there is no button, once."""
        if (await store.read(access.state)).set:
            return []
        if voice.button is not None:
            voice.button.on_long = lambda: self._pressed(store)
            return [PRESS]
        first, self._no_button_said = not self._no_button_said, True
        return [NO_BUTTON] if first else []

    def _pressed(self, store: Store) -> None:
        if not self._speaks:
            self._speaks = True
            self._running.supervise(self._speak_where_unset(store))

    async def _speak_where_unset(self, store: Store) -> None:
        try:
            if (await store.read(access.state)).set:
                self.gives_no_code()
            else:
                await self.speak_code()
        except CompanionError as error:
            logger.error("no code for the parents' page: %s", error)
        finally:
            self._speaks = False

    async def _ends(self, store: Store, number: int) -> None:
        """Where no clock tells the day no time is lived; a code ends all the same."""
        await self._running.sleep(access.CODE_S)
        if number == self._codes:
            try:
                await store.write(access.drop_code)
            except CompanionError as error:
                logger.error("the code for the parents' page: %s", error)
