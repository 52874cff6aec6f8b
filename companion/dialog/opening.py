"""The first words of a talk, which need no model: to somebody who says hello and is not known yet,
or who says their name, to somebody whose day the night has kept in mind (`consolidation.openers`),
and to somebody whose last talks left something to take up (`language.resuming`)."""

from __future__ import annotations

from datetime import datetime, timedelta

import apsw

from companion import language
from companion.answering import Answer, Heard
from companion.clock import Clock
from companion.dialog import replies
from companion.dialog.greeting import Greeting
from companion.language.types import Exchanged
from companion.records import Turn
from companion.store import history, openers
from companion.store.database import Store
from companion.store.openers import Opener

FEW = 5
"""Words of a greeting that says hardly more."""

TALKS = 6
"""Talks that are looked back at."""

LATELY = timedelta(days=10)
"""How far back they may be."""


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
        if heard.previous == "" and self._greets(heard) and self._may_open(heard.turn):
            opener = await self._due()
            if opener is not None:
                await self._store.write(openers.use, opener.id, self._clock.wall())
                return Answer((replies.hello_again(heard.profile.name), opener.text), "opener")
            if text := await self._left(heard.turn[0]):
                said = (replies.hello_again(heard.profile.name), *language.sentences.split(text))
                return Answer(said, "opener")
        said = self.greeting.hello(heard.words) or self.greeting.met(heard.words)
        return Answer(said, "greeting") if said else None

    def _greets(self, heard: Heard) -> bool:
        """Whether a message is a greeting, or hardly more: "hi im home"."""
        plainly = language.lull.greets(heard.words, self._companion)
        if plainly or language.resuming.opens(heard.words):
            return True
        few = len(heard.words.split()) <= FEW and not language.question.asking(heard.words)
        return few and heard.reading.act == "greeting"

    def _may_open(self, turn: tuple[str, int]) -> bool:
        """Whether it is the first message of a talk, and openers are wanted."""
        return self._wanted and turn[1] == 1 and self._clock.trusted()

    async def _due(self) -> Opener | None:
        """The opener that the night has written for today."""
        return await self._store.read(openers.next_due, self._clock.wall().date())

    async def _left(self, session: str) -> str:
        """What the last talks left to take up, said only once; "" where there is nothing."""
        now = self._clock.wall()
        talks, said = await self._store.read(_last_talks, session, now)
        text: str = language.resuming.taken_up(talks, now)
        return "" if any(text in each for each in said) else text


def _last_talks(
    c: apsw.Connection, but: str, now: datetime
) -> tuple[list[list[Exchanged]], list[str]]:
    """The last talks of these days, and what was said in them."""
    recent = [
        each
        for each in history.sessions(c)[-TALKS - 1 :]
        if each.id != but and now - each.started <= LATELY
    ]
    talks = [_exchanged(history.turns(c, session.id)) for session in recent]
    return talks, [each.reply for talk in talks for each in talk]


def _exchanged(turns: list[Turn]) -> list[Exchanged]:
    """A talk; nothing of one in which a guard stopped something."""
    if any(turn.stopped is not None for turn in turns):
        return []
    return [
        Exchanged(turn.user.text, turn.reply.text if turn.reply else "", turn.user.time)
        for turn in turns
        if turn.user is not None
    ]
