"""What stands between the child, the model and the speaker: each turn passes here, or does not.

The words of a stopped turn never reach the model; a sentence of the model is handed over only
after it was judged. The guard keeps no state, so the fiftieth turn is judged as the first is.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import datetime

import apsw

from companion.clock import Clock
from companion.config import SafetySection
from companion.dialog.reply import Account
from companion.errors import StoreFailing
from companion.safety.breaks import Breaks
from companion.safety.replies import BREAK
from companion.safety.verdict import Guard, Verdict
from companion.store import log, notices
from companion.store.database import Store

logger = logging.getLogger(__name__)

_ENDINGS = (".", "!", "?", "…", '"', "”")


class Gate:
    """One child's gate."""

    def __init__(self, guard: Guard, store: Store, clock: Clock, section: SafetySection) -> None:
        self._guard = guard
        self._store = store
        self._clock = clock
        self._section = section
        self._breaks = Breaks(section.break_minutes)

    async def hear(self, words: str, account: Account) -> Verdict:
        """Judge what the child said; a kept turn that is stopped is marked at once."""
        verdict = await self._guard.judge(words, side="in")
        if verdict.stops:
            await self._mark(verdict, account, tell=True)
        return verdict

    async def bars(self, words: str) -> bool:
        """Whether words that are not said yet would be stopped: the model must not see them."""
        return (await self._guard.judge(words, side="in")).stops

    async def let(
        self, answer: AsyncGenerator[str, None], heard: Verdict, account: Account
    ) -> AsyncGenerator[str, None]:
        """Hand over what of an answer may be said; nothing of it is begun for words that were
        stopped. A piece that is stopped ends the reply with our own sentence."""
        begun = ""
        verdict = heard
        async with aclosing(answer):
            while not verdict.stops:
                piece = await anext(answer, None)
                if piece is None:
                    break
                # A clause is judged with what its sentence began with.
                begun = f"{begun} {piece}".strip()
                verdict = await self._guard.judge(begun, side="out")
                if not verdict.stops:
                    yield account.hand_over(piece)
                    begun = "" if piece.endswith(_ENDINGS) else begun
        if account.stopped:
            return
        if verdict.stops and not heard.stops:
            await self._mark(verdict, account, tell=False)
        for sentence in verdict.reply:
            yield account.hand_over(sentence)
        if not verdict.stops and account.turn and self._breaks.due(self._clock.monotonic()):
            yield account.hand_over(BREAK)

    async def _mark(self, verdict: Verdict, account: Account, *, tell: bool) -> None:
        account.barred = verdict.topic if verdict.marks else None
        if account.barred and account.session is not None and account.turn is not None:
            topic = account.barred
            told = tell and self._section.notices and topic in self._section.notice_topics
            notice = self._clock.wall() if told else None
            try:
                await self._store.write(_mark, account.session, account.turn, topic, notice)
            except StoreFailing as error:
                # The fixed reply must come, whatever the disk does.
                logger.error("a turn that was stopped is not marked: %s", error)


def _mark(c: apsw.Connection, session: str, turn: int, topic: str, notice: datetime | None) -> None:
    log.mark_stopped(c, session, turn, topic)
    if notice is not None:
        notices.add(c, topic, session, turn, notice)
