"""The safety gate between the child, the model and the speaker, through which every turn passes.

The words of a stopped turn never reach the model, and a sentence of the model is handed over only
after it has been judged. The guard keeps no state, so it judges the fiftieth turn exactly as it
judged the first.

The reply to a crisis has to be heard. When the child interrupts it, the companion falls silent;
but until the reply has been heard to its end it stays pending, and replaces the next reply.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace

from companion.answering import Announcement
from companion.clock import Clock
from companion.config import SafetySection
from companion.dialog.conversation import Conversation
from companion.dialog.reply import Delivery, ReplyRecord
from companion.errors import StoreFailing
from companion.safety.breaks import Breaks
from companion.safety.replies import BREAK
from companion.safety.unanswered import judge_unanswered
from companion.safety.verdict import CRISIS, Guard, Verdict
from companion.store.database import Store

logger = logging.getLogger(__name__)

MOST_REPEATS = 3
"""How often a crisis reply is started again: a room that never gets quiet must not repeat it for
ever."""

_ENDINGS = (".", "!", "?", "…", '"', "”")


@dataclass(eq=False)
class Gate:
    """One child's gate."""

    _guard: Guard
    _talk: Conversation
    _clock: Clock
    _section: SafetySection

    def __post_init__(self) -> None:
        self._breaks = Breaks(self._section.break_minutes)
        self._repeats = 0
        self.pending_crisis_reply: Verdict | None = None
        """The verdict whose crisis reply has not yet been heard to its end; None when there is
        none."""

    async def judge(self, words: str, record: ReplyRecord) -> Verdict:
        """Judge what the child said; a stopped turn is marked at once if it is stored."""
        verdict = await self._guard.judge(words, side="in")
        if verdict.stops:
            await self._mark(verdict, record, tell=True)
        elif record.kept and self.pending_crisis_reply is not None:
            verdict = self.pending_crisis_reply
            await self._mark(verdict, record, tell=False)
        return verdict

    async def judge_unanswered(self, store: Store) -> dict[tuple[str, int], Verdict]:
        """Judge what was said last and never answered, as after a power cut; the verdicts that stop
        it, by turn."""
        try:
            return await judge_unanswered(store, self._guard, self._section, self._clock)
        except StoreFailing as error:
            # If this fails, consolidation judges these turns before it reads them.
            logger.error("what was said last is not judged yet: %s", error)
            return {}

    def answered(self, heard: Verdict, *, cut: bool) -> None:
        """Note that a stored turn has ended. cut: its reply was not heard to its end."""
        if heard.stops and heard.topic in CRISIS:
            self._repeats = self._repeats + 1 if heard is self.pending_crisis_reply else 0
            self.pending_crisis_reply = heard if cut and self._repeats < MOST_REPEATS else None

    def forget(self) -> None:
        """Drop the pending reply when the session ends: out of context it would only confuse."""
        self.pending_crisis_reply = None

    async def blocks(self, words: str) -> bool:
        """Whether words that are only expected so far would be stopped, so that the model must not
        see them."""
        return (await self._guard.judge(words, side="in")).stops

    async def announcement(self, meant: Announcement) -> Announcement:
        """The announcement as it may be said: without the child's own words where they are
        stopped."""
        for sentence in meant.sentences:
            if (await self._guard.judge(sentence, side="out")).stops:
                return replace(meant, sentences=meant.plain)
        return meant

    async def filter(
        self, answer: AsyncGenerator[str, None], heard: Verdict, record: ReplyRecord
    ) -> AsyncGenerator[str, None]:
        """Hand over the parts of an answer that may be said. When the person's words were stopped,
        no answer is generated; a stopped piece ends the reply with a fixed sentence."""
        begun = ""
        verdict = heard
        async with aclosing(answer):
            while not verdict.stops:
                piece = await anext(answer, None)
                if piece is None:
                    break
                # A clause is judged together with the earlier clauses of its sentence.
                begun = f"{begun} {piece}".strip()
                verdict = await self._guard.judge(begun, side="out")
                if not verdict.stops:
                    yield record.hand_over(piece)
                    begun = "" if piece.endswith(_ENDINGS) else begun
        if record.stopped:
            return
        if verdict.stops and not heard.stops:
            await self._mark(verdict, record, tell=False)
        if verdict.stops:
            record.by = "guard"
        for sentence in verdict.reply:
            yield record.hand_over(sentence)
            if record.stopped:
                return
        if not verdict.stops and record.turn and self._breaks.due(self._clock.monotonic()):
            yield record.hand_over(BREAK)

    async def say_again(
        self, verdict: Verdict, record: ReplyRecord, delivery: Delivery | None
    ) -> AsyncGenerator[str, None]:
        """The pending crisis reply, outside any turn of the person."""
        record.cut = True
        record.session = self._talk.session
        try:
            for sentence in verdict.reply:
                if not record.stopped:
                    yield record.hand_over(sentence)
            record.cut = record.stopped
        finally:
            await record.delivered(delivery)
            self.answered(verdict, cut=record.cut)
            record.turn = await self._talk.add_stopped_reply(record.text, cut=record.cut)
            if record.text and verdict.topic is not None:
                await self._talk.mark_stopped(verdict.topic, record.turn, tell=False)

    async def _mark(self, verdict: Verdict, record: ReplyRecord, *, tell: bool) -> None:
        record.stopped_for = verdict.topic if verdict.marks else None
        if record.kept and record.stopped_for:
            tell = tell and self._section.tells(record.stopped_for)
            await self._talk.mark_stopped(record.stopped_for, record.turn, tell=tell)
