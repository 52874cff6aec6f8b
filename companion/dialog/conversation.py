"""The running session: its place in the log, and its window of recent exchanges.

What is heard is committed before anything else happens with it; what is said is stored when it
was said, as it was said. While the disk fails, both wait in RAM (`companion.dialog.ledger`).
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence

from companion import faults
from companion.clock import Clock
from companion.config import DialogSection
from companion.dialog import window
from companion.dialog.ledger import Barred, Ledger, Said
from companion.dialog.recall_protocol import EMPTY, RecallResult
from companion.dialog.window import Exchange, Window
from companion.engines.protocols import Embedder
from companion.errors import EngineError, StoreFailing
from companion.records import Turn
from companion.store import history, log, memories, turn_index
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
        self._ledger = Ledger(store, clock)
        self.window: Window = ()

    @property
    def session(self) -> str | None:
        """None until something is said: nobody's silence leaves a session behind."""
        return self._ledger.session

    @property
    def trouble(self) -> str | None:
        """Why what is said is not kept just now, in one line; None when it is."""
        return self._ledger.trouble

    @property
    def waiting(self) -> bool:
        """Something that was said, a guard's mark on it, or the session's end is in RAM alone."""
        return self._ledger.waiting > 0 or self._ledger.unended

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
        left_open = await self._store.read(history.open_session)
        if left_open is None:
            return []
        turns = await self._store.read(history.turns, left_open.id)
        if not turns or not self._is_recent(turns[-1]):
            with contextlib.suppress(StoreFailing):  # the next session to begin ends it as well
                await self._store.write(log.end_session, left_open.id, self._clock.wall())
            return []
        self._ledger.session = left_open.id
        self.window = tuple(Exchange.of(turn) for turn in turns if turn.stopped is None)
        self.cut()
        return turns

    async def begin(self, session_id: str | None = None) -> None:
        """Open a session unless one is open. Raises InputError for an id that is taken."""
        await self._ledger.begin(session_id)

    async def hear(self, words: str, confidence: float | None) -> int | None:
        """Commit what the person said; returns the number of the turn that it opens, None when
        the disk fails and it waits."""
        faults.point("turn:heard")
        said = Said("user", words, self._clock.wall(), confidence)
        number = await self._ledger.write(said)
        faults.point("turn:words-stored")
        return number

    async def said(
        self, number: int | None, words: str, reply: str, *, cut: bool, recall: RecallResult
    ) -> None:
        """Store a reply as it was said ("" when nothing was), and what the turn leaves behind:
        strength for the memories it used, vectors, its place in the window."""
        faults.point("turn:said")
        if reply:
            said = Said("assistant", reply, self._clock.wall(), cut=cut)
            await self._ledger.write(said, recall.used)
        elif recall.used:
            await self._count_use(recall.used)
        faults.point("turn:reply-stored")
        # The paper's block stood in the system prompt, and is gone with the turn.
        kept = recall if recall.place == "message" else EMPTY
        recalled = frozenset(item.id for item in kept.items)
        self.window += (Exchange(number or 0, words, reply or None, kept.block, recalled),)
        self.cut()
        if self.session is not None and number is not None:
            await self._index(self.session, number)

    async def bar(self, topic: str, turn: int | None, *, tell: bool) -> None:
        """Mark a turn that a guard stopped (None: the words heard last), and tell the parent of it.
        While the disk fails the mark waits, ahead of whatever is said next."""
        await self._ledger.write(Barred(topic, turn, self._clock.wall() if tell else None))

    async def said_aside(self, reply: str, *, cut: bool) -> int | None:
        """Store the reply of a turn that was stopped: it enters no prompt and is never recalled.
        Returns the number of its turn, None when it waits or there is nothing to store."""
        if not reply:
            return None
        return await self._ledger.write(Said("assistant", reply, self._clock.wall(), cut=cut))

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
        self.window = ()
        await self._ledger.end()

    async def _count_use(self, used: Sequence[int]) -> None:
        with contextlib.suppress(StoreFailing):
            await self._store.write(memories.touch, used, self._clock.wall())

    async def _index(self, session: str, number: int) -> None:
        try:
            turn = await self._store.read(history.turn, session, number)
            if turn is None or turn.user is None:
                return
            texts = [turn.user.text, turn_index.turn_text(turn)]
            query, whole = await self._embedder.embed(texts)
            await self._store.write(
                turn_index.put_turn_vectors, session, number, self._embedder.name, query, whole
            )
        except (EngineError, StoreFailing) as error:
            # The turn is stored; it is found by its words, and embedded when memories are tidied.
            logger.error("a turn has no vectors yet: %s", error)

    def _is_recent(self, turn: Turn) -> bool:
        last = turn.reply or turn.user
        assert last is not None, "a turn has at least one message"
        age = (self._clock.wall() - last.time).total_seconds()
        return self._clock.trusted() and 0 <= age < self._inactivity_s
