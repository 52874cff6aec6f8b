"""The running session: its place in the log, and its window of recent exchanges.

The person's words are committed before anything else is done with them; a reply is stored once it
has been spoken, as it was spoken. While the disk fails, both wait in RAM
(`companion.dialog.ledger`).
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

import apsw

from companion import faults, language
from companion.acts.withdrawals import Withdrawals
from companion.clock import Clock
from companion.config import DialogSection
from companion.dialog import replies, window
from companion.dialog.ledger import GuardMark, Ledger, LogEntry
from companion.dialog.window import Exchange, Window
from companion.engines.protocols import Embedder
from companion.errors import EngineError, StoreFailing
from companion.recall.embedding import embed_turn
from companion.recall.protocol import EMPTY, RecallResult
from companion.records import Turn
from companion.skills.turns import yes_or_no
from companion.store import history, log, memories, withdrawal
from companion.store.database import Store

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class Conversation:
    """At most one open session, in the store and here."""

    _store: Store
    _embedder: Embedder
    _clock: Clock
    _section: DialogSection
    _inactivity_s: float
    _name: str
    """The toy's own."""

    def __post_init__(self) -> None:
        self.ledger = Ledger(self._store, self._clock)
        self.window: Window = ()
        self._withdrawals = Withdrawals(self._embedder, self._name)
        self._offered: tuple[int, str] | None = None  # a turn that may ask to forget, and its words

    @property
    def session(self) -> str | None:
        """None until something is said: silence alone leaves no session behind."""
        return self.ledger.session

    def outside_session(self) -> Conversation:
        """A separate, empty conversation, for a question outside any session."""
        return replace(self)

    async def resume(self) -> list[Turn]:
        """Continue a session that was left open when the program stopped; returns its turns.

        A session older than `inactivity_s`, or whose age is unknown because the clock is not
        trusted, counts as having ended with its last message: it is closed, and the list is empty.
        """
        left_open = await self._store.read(history.open_session)
        if left_open is None:
            return []
        turns = await self._store.read(history.turns, left_open.id)
        if not turns or not self._is_recent(turns[-1]):
            with contextlib.suppress(StoreFailing):  # it is closed when the next session begins
                await self._store.write(log.end_session, left_open.id, self._clock.wall())
            return []
        self.ledger.session = left_open.id
        self.window = tuple(Exchange.of(turn) for turn in turns if turn.stopped is None)
        self.cut()
        return turns

    async def add_user_message(self, words: str, confidence: float | None) -> int | None:
        """Commit what the person said. Returns the number of the turn that it opens, or None when
        the disk fails and the words wait in RAM."""
        faults.point("turn:heard")
        said = LogEntry("user", words, self._clock.wall(), confidence)
        number = await self.ledger.write(said)
        faults.point("turn:words-stored")
        return number

    async def add_reply(
        self,
        number: int | None,
        words: str,
        reply: str,
        *,
        cut: bool,
        recall: RecallResult,
        now: str = "",
    ) -> None:
        """Store a reply as it was spoken ("" when nothing was), and the effects of the turn:
        strengthen the memories it used, store its vectors, add it to the window. now: the line that
        the words begin with in the prompt."""
        faults.point("turn:said")
        if reply:
            said = LogEntry("assistant", reply, self._clock.wall(), cut=cut)
            await self.ledger.write(said, recall.used)
        elif recall.used:
            await self._count_use(recall.used)
        faults.point("turn:reply-stored")
        # In paper mode the block was in the system prompt, which is rebuilt for every turn.
        kept = recall if recall.place == "message" else EMPTY
        recalled = frozenset(item.id for item in kept.items)
        now = now if recall.place == "message" else ""
        self.window += (Exchange(number or 0, words, reply or None, kept.block, recalled, now),)
        self.cut()
        if self.session is not None and number is not None:
            await self._index(self.session, number)

    async def mark_stopped(self, topic: str, turn: int | None, *, tell: bool) -> None:
        """Mark a turn that a guard stopped (None: the latest words), and with `tell` add a notice
        for the parent. While the disk fails, the mark waits ahead of whatever is said next."""
        await self.ledger.write(GuardMark(topic, turn, self._clock.wall() if tell else None))

    async def add_stopped_reply(self, reply: str, *, cut: bool) -> int | None:
        """Store the reply of a turn that was stopped: it enters no prompt and is never recalled.
        Returns the number of its turn, or None when it waits in RAM or nothing needs storing."""
        if not reply:
            return None
        return await self.ledger.write(LogEntry("assistant", reply, self._clock.wall(), cut=cut))

    async def withdraw(self, number: int | None, words: str) -> str:
        """Erase what the person asks to be forgotten ("forget that"), with the words that ask for
        it, from log, memories and window; where they may have asked for it, ask them. What is said
        to that; "" when they ask for nothing of the kind. While the disk fails, consolidation does
        it later."""
        offered, self._offered = self._offered, None
        if offered is not None:
            agreed = yes_or_no(language.skills.plain(words, self._name))
            if agreed is not None:
                return await self._erase(*offered) if agreed else replies.KEPT_AS_IT_IS
        wish = await self._withdrawals.asks(words)
        if wish == "perhaps" and number is not None:
            self._offered = (number, words)
            return replies.SHALL_I_FORGET
        return await self._erase(number, words) if wish == "surely" else ""

    async def _erase(self, number: int | None, words: str) -> str:
        """number: the turn that asks for it, in these words."""
        said = replies.FORGOTTEN
        gone = set() if number is None else {number}
        if self.session is not None and number is not None:
            with contextlib.suppress(StoreFailing):
                meant = await self._withdrawals.meant(self._store, self.session, number, words)
                await self._store.write(withdrawal.withdraw, meant.turns)
                gone = {turn for session, turn in meant.turns if session == self.session}
                says_no_more = language.correction.takes_back_the_turn_before(words)
                if meant.keeps_health:
                    said = replies.KEPT_FOR_HEALTH
                elif len(meant.turns) == 1 and says_no_more:
                    said = replies.WHAT_TO_FORGET
        self.window = window.without(self.window, gone)
        return said

    async def forget(self) -> list[Turn]:
        """Something has been erased, or has come back: hold what the log holds. Returns the turns
        of the running session, none when it was erased. Raises StoreFailing."""
        held, self.window = self.window, ()
        self._offered = None
        session = self.session
        if session is None or await self._store.read(_has_ended, session):
            if session is not None:
                self.ledger.lose_session()
            return []
        turns = await self._store.read(history.turns, session)
        self.window = window.as_logged(held, turns)
        self.cut()
        return turns

    def cut(self) -> None:
        """Cut the window back to its size once it has outgrown its slack."""
        self.window = window.cut(
            self.window, keep=self._section.window_messages, slack=self._section.window_slack
        )

    def own(self) -> frozenset[tuple[str, int]]:
        """The turns in the window."""
        return frozenset((self.session, each.number) for each in self.window if self.session)

    def shown(self) -> frozenset[tuple[str, int]]:
        """The turns that stand in the prompt: in the window, or recalled into it."""
        recalled = {
            (session, int(number))
            for exchange in self.window
            for session, mark, number in (id.rpartition("#") for id in exchange.recalled)
            if mark
        }
        return self.own() | recalled

    def previous(self) -> str | None:
        """The person's latest words, for a query that consists only of pronouns."""
        return next((e.user for e in reversed(self.window) if e.user is not None), None)

    async def end(self) -> None:
        """Close the session, if one is open."""
        self.window, self._offered = (), None
        await self.ledger.end()

    async def _count_use(self, used: Sequence[int]) -> None:
        with contextlib.suppress(StoreFailing):
            await self._store.write(memories.touch, used, self._clock.wall())

    async def _index(self, session: str, number: int) -> None:
        try:
            turn = await self._store.read(history.turn, session, number)
            if turn is None or turn.user is None:
                return
            embedded = await embed_turn(self._embedder, turn)
            await self._store.write(embedded.put)
        except (EngineError, StoreFailing) as error:
            # The turn is stored: search by words finds it, and consolidation will embed it.
            logger.error("a turn has no vectors yet: %s", error)

    def _is_recent(self, turn: Turn) -> bool:
        last = turn.reply or turn.user
        assert last is not None, "a turn has at least one message"
        age = (self._clock.wall() - last.time).total_seconds()
        return self._clock.trusted() and 0 <= age < self._inactivity_s


def _has_ended(c: apsw.Connection, session: str) -> bool:
    """Also when it is gone."""
    found = history.session(c, session)
    return found is None or found.ended is not None
