"""The running session: its place in the log, and its window of recent exchanges.

What is heard is committed before anything else happens with it; what is said is stored when it
was said, as it was said.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime

import apsw

from companion.clock import Clock
from companion.config import DialogSection
from companion.dialog import window
from companion.dialog.recall import EMPTY, RecallResult
from companion.dialog.window import Exchange, Window
from companion.engines.protocols import Embedder
from companion.errors import EngineError
from companion.records import Turn
from companion.store import log, memories, turn_index
from companion.store.database import Store

logger = logging.getLogger(__name__)


class Conversation:
    """At most one open session, in the store and here."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        clock: Clock,
        section: DialogSection,
        *,
        inactivity_s: float,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._section = section
        self._inactivity_s = inactivity_s
        self.session: str | None = None
        """None until something is said: nobody's silence leaves a session behind."""

        self.window: Window = ()

    def aside(self) -> Conversation:
        """An empty one beside this, for a question outside any session."""
        return Conversation(
            self._store,
            self._embedder,
            self._clock,
            self._section,
            inactivity_s=self._inactivity_s,
        )

    async def resume(self) -> list[Turn]:
        """Go on with a session that a stop of the program cut short; returns its turns.

        One that is older than `inactivity_s`, or whose age an untrusted clock cannot tell, had
        ended with its last message: it is closed, and the list is empty.
        """
        left_open = await self._store.read(log.open_session)
        if left_open is None:
            return []
        turns = await self._store.read(log.turns, left_open.id)
        if not turns or not self._is_recent(turns[-1]):
            await self._store.write(log.end_session, left_open.id, self._clock.wall())
            return []
        self.session = left_open.id
        self.window = tuple(Exchange.of(turn) for turn in turns if turn.stopped is None)
        self.cut()
        return turns

    async def begin(self, session_id: str | None = None) -> None:
        """Open a session unless one is open. Raises InputError for an id that is taken."""
        if self.session is None:
            self.session = await self._store.write(
                log.start_session, self._clock.wall(), session_id
            )

    async def hear(self, words: str, confidence: float | None) -> int:
        """Commit what the person said; returns the number of the turn that it opens."""
        await self.begin()
        now = self._clock.wall()
        message = await self._store.write(
            log.append, self._open_session(), "user", words, now, confidence=confidence
        )
        return message.turn

    async def said(
        self, number: int, words: str, reply: str, *, cut: bool, recall: RecallResult
    ) -> None:
        """Store a reply as it was said ("" when nothing was), and what the turn leaves behind:
        strength for the memories it used, vectors, its place in the window."""
        session = self._open_session()
        await self._store.write(
            _store_reply, session, reply, self._clock.wall(), cut=cut, used=recall.used
        )
        # The paper's block stood in the system prompt, and is gone with the turn.
        kept = recall if recall.place == "message" else EMPTY
        recalled = frozenset(item.id for item in kept.items)
        self.window += (Exchange(number, words, reply or None, kept.block, recalled),)
        self.cut()
        await self._index(session, number)

    async def said_aside(self, reply: str, *, cut: bool) -> None:
        """Store the reply of a turn that was stopped: it enters no prompt and is never recalled."""
        await self._store.write(
            _store_reply, self._open_session(), reply, self._clock.wall(), cut=cut, used=()
        )

    def cut(self) -> None:
        """Bring the window back to size, when it has outgrown its slack."""
        self.window = window.cut(
            self.window, keep=self._section.window_messages, slack=self._section.window_slack
        )

    def shown(self) -> frozenset[tuple[str, int]]:
        """The turns that stand in the prompt: in the window, or recalled into it."""
        own = {(self.session, exchange.number) for exchange in self.window if self.session}
        recalled = {
            (session, int(number))
            for exchange in self.window
            for session, mark, number in (id.rpartition("#") for id in exchange.recalled)
            if mark
        }
        return frozenset(own | recalled)

    def previous(self) -> str | None:
        """What the person said last, for a query that is all pronouns."""
        return next((e.user for e in reversed(self.window) if e.user is not None), None)

    async def end(self) -> None:
        """Close the session, if one is open."""
        session, self.session, self.window = self.session, None, ()
        if session is not None:
            await self._store.write(log.end_session, session, self._clock.wall())

    async def _index(self, session: str, number: int) -> None:
        turn = await self._store.read(log.turn, session, number)
        if turn is None or turn.user is None:
            return
        texts = [turn.user.text, turn_index.turn_text(turn)]
        try:
            query, whole = await self._embedder.embed(texts)
        except EngineError as error:
            # The turn is stored; it is found by its words, and embedded when memories are tidied.
            logger.error("a turn has no vectors yet: %s", error)
            return
        await self._store.write(
            turn_index.put_turn_vectors, session, number, self._embedder.name, query, whole
        )

    def _open_session(self) -> str:
        assert self.session is not None, "a session was begun when the words were heard"
        return self.session

    def _is_recent(self, turn: Turn) -> bool:
        last = turn.reply or turn.user
        assert last is not None, "a turn has at least one message"
        age = (self._clock.wall() - last.time).total_seconds()
        return self._clock.trusted() and 0 <= age < self._inactivity_s


def _store_reply(
    c: apsw.Connection, session: str, reply: str, time: datetime, *, cut: bool, used: Sequence[int]
) -> None:
    if reply:
        log.append(c, session, "assistant", reply, time, cut=cut)
    memories.touch(c, used, time)
