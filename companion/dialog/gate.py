"""What stands between the child, the model and the speaker: each turn passes here, or does not.

The words of a stopped turn never reach the model; a sentence of the model is handed over only
after it was judged. The guard keeps no state, so the fiftieth turn is judged as the first is.

The reply to a crisis has to be heard. Whoever interrupts it is not talked over; but until it was
heard to its end it is owed, and takes the place of the next reply.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from companion.clock import Clock
from companion.config import SafetySection
from companion.dialog.conversation import Conversation
from companion.dialog.reply import Account
from companion.safety.breaks import Breaks
from companion.safety.replies import BREAK
from companion.safety.verdict import CRISIS, Guard, Verdict

MOST_OWED = 3
"""How often a reply to a crisis is begun again: in a room that never gets quiet, not for ever."""

_ENDINGS = (".", "!", "?", "…", '"', "”")


class Gate:
    """One child's gate."""

    def __init__(
        self, guard: Guard, talk: Conversation, clock: Clock, section: SafetySection
    ) -> None:
        self._guard = guard
        self._talk = talk
        self._clock = clock
        self._section = section
        self._breaks = Breaks(section.break_minutes)
        self._begun_again = 0
        self.owed: Verdict | None = None
        """What stopped words about a crisis, while the reply to them was not heard to its end."""

    async def hear(self, words: str, account: Account) -> Verdict:
        """Judge what the child said; a kept turn that is stopped is marked at once."""
        verdict = await self._guard.judge(words, side="in")
        if verdict.stops:
            await self._mark(verdict, account, tell=True)
        elif account.kept and self.owed is not None:
            verdict = self.owed
            await self._mark(verdict, account, tell=False)
        return verdict

    def answered(self, heard: Verdict, *, cut: bool) -> None:
        """A kept turn is over. cut: its reply was not heard to its end."""
        if heard.stops and heard.topic in CRISIS:
            self._begun_again = self._begun_again + 1 if heard is self.owed else 0
            self.owed = heard if cut and self._begun_again < MOST_OWED else None

    def forget(self) -> None:
        """The session is over: out of its place, the reply would only be strange."""
        self.owed = None

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
            if account.stopped:
                return
        if not verdict.stops and account.turn and self._breaks.due(self._clock.monotonic()):
            yield account.hand_over(BREAK)

    async def _mark(self, verdict: Verdict, account: Account, *, tell: bool) -> None:
        account.barred = verdict.topic if verdict.marks else None
        if account.kept and account.barred:
            tell = tell and self._section.tells(account.barred)
            await self._talk.bar(account.barred, account.turn, tell=tell)
