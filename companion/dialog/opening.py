"""The first words of a talk, which need no model: to somebody who says hello and is not known yet,
or who says their name, and to somebody whose day the night has in mind
(`consolidation.openers`)."""

from __future__ import annotations

from companion import language
from companion.answering import Answer, Heard
from companion.clock import Clock
from companion.dialog import replies
from companion.dialog.greeting import Greeting
from companion.store import openers
from companion.store.database import Store
from companion.store.openers import Opener


class Opening:
    """Answers a bare greeting ("hi") where code has something better to say than a model."""

    def __init__(
        self, store: Store, clock: Clock, companion: str, greeting: Greeting, *, wanted: bool
    ) -> None:
        """companion: the toy's own name. wanted: whether what the night has written is said."""
        self._store = store
        self._clock = clock
        self._companion = companion
        self._wanted = wanted
        self.greeting = greeting
        """Of the running session."""

    async def answer(self, heard: Heard) -> Answer | None:
        """Hello, and what there is to ask for. Raises StoreFailing."""
        if heard.turn is None:
            return None
        if heard.previous == "" and language.lull.greets(heard.words, self._companion):
            opener = await self._due(heard.turn)
            if opener is not None:
                await self._store.write(openers.use, opener.id, self._clock.wall())
                return Answer((replies.hello_again(heard.profile.name), opener.text), "opener")
        said = self.greeting.hello(heard.words) or self.greeting.met(heard.words)
        return Answer(said, "greeting") if said else None

    async def _due(self, turn: tuple[str, int]) -> Opener | None:
        """The opener for the first message of a talk."""
        if not (self._wanted and turn[1] == 1 and self._clock.trusted()):
            return None
        return await self._store.read(openers.next_due, self._clock.wall().date())
