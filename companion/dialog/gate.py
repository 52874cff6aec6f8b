"""The safety gate between the child, the model and the speaker, through which every turn passes.

The words of a stopped turn never reach the model, and a sentence of the model is handed over only
after it has been judged. The guard keeps no state, so it judges the fiftieth turn exactly as it
judged the first.

Where the guard is in doubt, a calm sentence takes the place of the model's reply, and the next
turns are judged with more attention (`companion.dialog.attention`). An emergency is stayed with
over the next turns (`companion.dialog.emergency`).

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
from companion.dialog import good_night
from companion.dialog.attention import Attention
from companion.dialog.conversation import Conversation
from companion.dialog.emergency import Emergency
from companion.dialog.reply import Delivery, ReplyRecord
from companion.errors import StoreFailing
from companion.safety.breaks import Breaks
from companion.safety.moved_on import MovedOn
from companion.safety.pretending import Exchange, softened
from companion.safety.replies import BREAK
from companion.safety.unanswered import judge_unanswered
from companion.safety.verdict import CRISIS, Guard, Verdict
from companion.store.database import Store

logger = logging.getLogger(__name__)

MOST_REPEATS = 3
"""How often a crisis reply is started again: a room that never gets quiet must not repeat it for
ever."""

EXCHANGES = 2
"""How many of the last are looked at for a game that goes on."""

_ENDINGS = (".", "!", "?", "…", '"', "”")


@dataclass(eq=False)
class Gate:
    """One child's gate."""

    _guard: Guard
    _talk: Conversation
    _clock: Clock
    _section: SafetySection
    _moved_on: MovedOn | None = None

    def __post_init__(self) -> None:
        self._breaks = Breaks(self._section.break_minutes)
        self._attention = Attention()
        self._emergency = Emergency(self._section.emergency_number, self._moved_on)
        self._repeats = 0
        self.pending_crisis_reply: Verdict | None = None
        """The verdict whose crisis reply has not yet been heard to its end; None when there is
        none."""

    async def judge(self, words: str, record: ReplyRecord) -> Verdict:
        """Judge what the child said; a stopped turn is marked at once if it is stored."""
        found = softened(await self._guard.judge(words, side="in"), words, self._before())
        judged = self._attention.applied(found, words)
        if record.kept:
            await self._emergency.follow(judged, words)
        verdict = self._continued(judged, words) if record.kept else None
        if verdict is not None:
            await self._mark(verdict, record, tell=False)
            return verdict
        verdict = self._emergency.instructed(judged, words)
        if record.kept:
            self._attention.note(verdict)
            self._emergency.begin(verdict, words, self._clock.monotonic())
        if verdict.stops:
            await self._mark(verdict, record, tell=True)
        return verdict

    def resume(self, verdict: Verdict, words: str) -> None:
        """Take up a stopped turn whose reply was never said, because the program ended."""
        verdict = self._emergency.instructed(verdict, words)
        self._emergency.begin(verdict, words, self._clock.monotonic())
        self.answered(verdict, cut=True)

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
        if heard.stops and not heard.cares and heard.topic in CRISIS:
            self._repeats = self._repeats + 1 if heard is self.pending_crisis_reply else 0
            self.pending_crisis_reply = heard if cut and self._repeats < MOST_REPEATS else None

    def forget(self) -> None:
        """Drop the pending reply, attention and a running emergency when the session ends: out of
        context they would only confuse."""
        self.pending_crisis_reply = None
        self._attention.end()
        self._emergency.end()

    async def blocks(self, words: str) -> bool:
        """Whether words that are only expected so far would be stopped, so that the model must not
        see them."""
        return self._emergency.running or (await self._guard.judge(words, side="in")).stops

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
        talks = not verdict.stops and record.turn and record.by != good_night.BY
        if talks and self._breaks.due(self._clock.monotonic()):
            yield record.hand_over(BREAK)

    def _before(self) -> list[Exchange]:
        """What was said last."""
        return [(each.user, each.reply) for each in self._talk.window[-EXCHANGES:]]

    def _continued(self, judged: Verdict, words: str) -> Verdict | None:
        """What goes on from the turns before, in place of the verdict on these words: an answer in
        an emergency, a crisis reply that was not heard, the next line of an emergency."""
        now = self._clock.monotonic()
        if (answer := self._emergency.answered(judged, words, now)) is not None:
            self.pending_crisis_reply = None
            return answer
        if self.pending_crisis_reply is not None and (
            not judged.stops or judged.cares or self._emergency.hears_again(judged, words)
        ):
            return self.pending_crisis_reply
        return self._emergency.goes_on(judged, words, now)

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
        record.stopped_for = verdict.mark if verdict.marks else None
        if record.kept and record.stopped_for and verdict.topic:
            tell = tell and self._section.tells(verdict.topic, worry=verdict.cares)
            await self._talk.mark_stopped(record.stopped_for, record.turn, tell=tell)
